import { pngOfSize } from '../test/pictures.ts'
import type { Ring } from './bench.ts'
import { hit, inTurns, load } from './load.ts'

const sizeBytes = 1024 * 1024

export async function uploadBench(ring: Ring): Promise<void> {
  const client = await ring.newClient('uploads')
  const json = { cookie: ring.cookie, 'content-type': 'application/json' }
  const file = pngOfSize(sizeBytes)
  const post = async (url: string, body: object) => {
    const answer = await hit({ url, method: 'POST', headers: json, body: JSON.stringify(body) })
    if (answer.status >= 400) throw new Error(`${answer.status} ${answer.body}`)
    return JSON.parse(answer.body.toString())
  }
  const put = (url: string) =>
    hit({ url, method: 'PUT', body: file, headers: { 'content-type': 'image/png' } })

  const base = `${ring.ours.url}/admin/clients/${client}/assets/upload-session`
  const figures = await inTurns(2, {
    floor: () =>
      load(ring.floor.pid, 4, 4, async () => {
        const { id, uploadUrl } = await post(`${ring.floor.url}/session`, {
          clientId: client,
          size: sizeBytes,
        })
        await put(uploadUrl)
        await post(`${ring.floor.url}/finalize`, { clientId: client, id })
        return { status: 200 }
      }),
    ours: () =>
      load(ring.ours.pid, 4, 4, async () => {
        const { uploadUrl, uploadToken } = await post(base, {
          originalFilename: 'a.png',
          mimeType: 'image/png',
          expectedSizeBytes: sizeBytes,
        })
        await put(uploadUrl)
        await post(`${base}/finalize`, { uploadToken })
        return { status: 200 }
      }),
    // The disk store takes the PUT in the same process; with a bucket that part is not ours.
    putOnly: () =>
      load(ring.ours.pid, 2, 4, async () => {
        const { uploadUrl } = await post(base, {
          originalFilename: 'a.png',
          mimeType: 'image/png',
          expectedSizeBytes: sizeBytes,
        })
        return put(uploadUrl)
      }),
    sessionOnly: () =>
      load(ring.ours.pid, 2, 4, async () => {
        await post(base, { originalFilename: 'a.png', mimeType: 'image/png', expectedSizeBytes: sizeBytes })
        return { status: 200 }
      }),
  })
  const ratio = figures.ours.perSecond / figures.floor.perSecond
  ring.report(
    'session + PUT + finalize of 1 MB',
    `${figures.ours.perSecond.toFixed(0)}/s vs floor ${figures.floor.perSecond.toFixed(0)}/s`,
    ratio,
    '≥ 0.5 of the floor',
    ratio >= 0.5,
  )
  const putCost = figures.putOnly.cpuMs - figures.sessionOnly.cpuMs
  const api = figures.ours.cpuMs - putCost
  ring.report(
    'CPU of the API per upload',
    `${figures.ours.cpuMs.toFixed(2)} ms, ${putCost.toFixed(2)} of it the PUT`,
    api,
    '≤ 2.5 ms',
    api <= 2.5,
  )
}
