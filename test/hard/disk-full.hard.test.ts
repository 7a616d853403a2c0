import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { person, puts } from '../person.ts'
import { pngOfSize } from '../pictures.ts'
import { inventoryOf } from './inventory.ts'
import { startProcess } from './process.ts'
import { experiment } from './table.ts'

const run = promisify(execFile)
const MiB = 1024 ** 2

test('a disk that fills up under uploads: clean refusals, no torn file, and all goes on when there is room', {
  timeout: 300_000,
}, async ({ skip }) => {
  const folder = await mkdtemp(join(tmpdir(), 'small-disk-'))
  const mounted = await run('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', folder]).catch(
    () => undefined,
  )
  onTestFinished(async () => {
    if (mounted) await run('umount', ['-l', folder])
    await rm(folder, { recursive: true, force: true })
  })
  if (!mounted) return skip('this system mounts nothing for us, so there is no small disk to fill')
  const ballast = join(folder, 'ballast')
  await writeFile(ballast, Buffer.alloc(20 * MiB))
  const server = await startProcess({ DATA_DIR: folder })
  onTestFinished(server.stop)
  const admin = person(server.url, { cookie: server.cookie })
  const { clientId } = (await admin.post('/admin/clients', { name: 'Full' })).body
  const operator = admin.at({ assets: `/admin/clients/${clientId}/assets`, events: '' })

  const kept = new Map<string, string>()
  const waiting: { uploadToken: string; uploadUrl: string; bytes: Buffer }[] = []
  const answers = new Map<string, number>()
  const count = (answer: string) => answers.set(answer, (answers.get(answer) ?? 0) + 1)

  let number = 0
  async function uploadsAndUploads(): Promise<void> {
    while (waiting.length < 12) {
      const bytes = pngOfSize(MiB + ++number * 100, number)
      const { status, body } = await operator.opensUpload({ expectedSizeBytes: bytes.length })
      expect(status).toBe(201)
      const put = await puts(body, bytes)
      const said = await put.text()
      count(`put ${put.status}`)
      if (put.status !== 200) {
        expect({ status: put.status, said }).toEqual({
          status: 507,
          said: expect.stringContaining('InsufficientStorage'),
        })
        waiting.push({ ...body, bytes })
        continue
      }
      const made = await operator.finalizes(body.uploadToken)
      count(`finalize ${made.status}`)
      if (made.status === 201) kept.set(made.body.assetId, createHash('sha256').update(bytes).digest('hex'))
      else {
        expect(made).toMatchObject({ status: 503, body: { code: 'storage-unavailable' } })
        waiting.push({ ...body, bytes })
      }
    }
  }
  await Promise.all(Array.from({ length: 4 }, uploadsAndUploads))

  const [someone] = kept.keys()
  const preview = await operator.get(`${operator.door.assets}/${someone}/preview?size=large`, {
    accept: 'image/avif',
  })
  count(`preview ${preview.status}`)
  if (preview.status !== 200)
    expect(preview.body).toMatchObject({ code: 'storage-unavailable', detail: expect.stringMatching(/full/) })
  expect((await operator.lists()).status).toBe(200)
  expect((await operator.edits(someone!, { title: 'Edited on a full disk' })).status).toBe(200)
  expect(await readdir(join(folder, 'objects', 'unfinished'))).toEqual([])

  await rm(ballast)
  const room = performance.now()
  for (const { uploadToken, uploadUrl, bytes } of waiting) {
    let status = 0
    while (status !== 200) {
      status = (await puts({ uploadUrl }, bytes)).status
      if (status !== 200) await pause(100)
      expect(performance.now() - room).toBeLessThan(60_000)
    }
    const made = await operator.finalizes(uploadToken)
    expect(made.status).toBe(201)
    kept.set(made.body.assetId, createHash('sha256').update(bytes).digest('hex'))
  }
  const recoveredInSeconds = (performance.now() - room) / 1000

  let torn = 0
  for (const [assetId, sha256] of kept) {
    const answer = await operator.fetch(`${operator.door.assets}/${assetId}/content`)
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (createHash('sha256').update(bytes).digest('hex') !== sha256) torn++
  }
  const inventory = await inventoryOf(server.environment)
  console.log([...answers].map(([answer, times]) => `${answer}: ${times}`).join(', '))
  experiment({
    experiment: 'disk full',
    load: `4 people, ${number} uploads, ${kept.size} kept`,
    faults: `a disk of 64 MB filled up: ${waiting.length} refusals`,
    lost: torn + inventory.missing.length,
    leaked: inventory.orphans.length + inventory.halves.length,
    recoveredInSeconds,
  })
  expect(torn).toBe(0)
  expect(inventory).toEqual({ missing: [], orphans: [], halves: [] })
  expect(recoveredInSeconds).toBeLessThan(10)
})
