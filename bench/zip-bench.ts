import { spawn } from 'node:child_process'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pngOfSize } from '../test/pictures.ts'
import { drain, hit, memoryMb } from './load.ts'
import type { Ring } from './ring.ts'

const files = 500
const sizeBytes = 2 * 1024 * 1024

export async function zipBench(ring: Ring): Promise<void> {
  const client = await ring.newClient('zip')
  const assets = `${ring.ours.url}/admin/clients/${client}/assets`
  const json = { cookie: ring.cookie, 'content-type': 'application/json' }
  const post = async (path: string, body: object) =>
    JSON.parse(
      (
        await hit({ url: assets + path, method: 'POST', headers: json, body: JSON.stringify(body) })
      ).body.toString(),
    )
  const { folderId } = await post('/folders', { name: 'five hundred' })
  const plain = join(ring.folder, 'plain')
  await mkdir(plain)
  for (let n = 0; n < files; n++) {
    const bytes = pngOfSize(sizeBytes, n)
    await writeFile(join(plain, `${n}.png`), bytes)
    const session = await post('/upload-session', {
      originalFilename: `${n}.png`,
      mimeType: 'image/png',
      expectedSizeBytes: bytes.length,
      folderId,
    })
    await hit({ url: session.uploadUrl, method: 'PUT', body: bytes })
    await post('/upload-session/finalize', { uploadToken: session.uploadToken })
  }

  const download = {
    url: `${assets}/folders/download?folderId=${folderId}`,
    headers: { cookie: ring.cookie },
  }
  await drain(download)
  const memoryBefore = await memoryMb(ring.ours.pid)
  let [ours, theirs, memory, open] = [0, 0, 0, 0]
  for (let round = 0; round < 3; round++) {
    const watch = setInterval(async () => {
      memory = Math.max(memory, (await memoryMb(ring.ours.pid)) - memoryBefore)
      open = Math.max(open, await openObjects(ring))
    }, 50)
    ours = Math.max(ours, await speed(() => drain(download)))
    clearInterval(watch)
    theirs = Math.max(theirs, await speed(() => zipOfThe(plain)))
  }
  const ratio = ours / theirs
  ring.report(
    'zip of 500 × 2 MB',
    `${ours.toFixed(0)} MB/s vs zip -0 ${theirs.toFixed(0)} MB/s`,
    ratio,
    '≥ 2 × zip -0',
    ratio >= 2,
  )
  ring.report('memory growth while zipping', `${memory.toFixed(0)} MB`, memory, '≤ 32 MB', memory <= 32)
  ring.report('files open while zipping', String(open), open, '≤ 8', open <= 8)
}

async function speed(work: () => Promise<number>): Promise<number> {
  const start = performance.now()
  const bytes = await work()
  return bytes / 1e6 / ((performance.now() - start) / 1000)
}

const zipOfThe = (folder: string) =>
  new Promise<number>((resolve, reject) => {
    const zip = spawn('zip', ['-0', '-q', '-r', '-', '.'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let bytes = 0
    zip.stdout.on('data', (chunk) => {
      bytes += chunk.length
    })
    zip.once('error', () => reject(new Error('zip is not on this machine: apt-get install zip')))
    zip.once('close', () => resolve(bytes))
  })

async function openObjects({ ours, objects }: Ring): Promise<number> {
  const { readlink } = await import('node:fs/promises')
  const descriptors = await readdir(`/proc/${ours.pid}/fd`)
  const paths = await Promise.all(
    descriptors.map((fd) => readlink(`/proc/${ours.pid}/fd/${fd}`).catch(() => '')),
  )
  return paths.filter((path) => path.startsWith(objects)).length
}
