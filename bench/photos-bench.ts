import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../test/setup/postgres.ts'
import { familyCpu, hit } from './load.ts'
import { twelveMegapixels } from './media-bench.ts'
import type { Ring } from './ring.ts'
import { login, serve } from './serve.ts'

const rounds = 3
const photos = 20
const callers = 3

/**
 * Photos from finalize until all is made of them, on a server with its jobs and a database of its own, against bare sharp that makes
 * the same sizes of the same file. Counted is the CPU of the server with all processes it starts, and aside that of PostgreSQL; and
 * on a second server what it takes when the words in them are read, too, which is done once they are ready.
 */
export async function photosBench(ring: Ring): Promise<void> {
  const photo = await twelveMegapixels()
  const path = join(ring.folder, 'one-of-many.jpg')
  await writeFile(path, photo)
  const ours = await startWorking(ring, 'photos', 'off')
  const reading = await startWorking(ring, 'photos_with_words', 'de,en')
  try {
    const bare = () =>
      many(() => hit({ url: `${ring.floor.url}/sizes?path=${path}`, headers: { cookie: ring.cookie } }))
    await Promise.all([
      bare(),
      ...[ours, reading].map(async (each) => each.makeAll(await each.takeIn(photo))),
    ]) // all warm
    const taken: Record<'ours' | 'reading' | 'bare' | 'database', Taken[]> = {
      ...{ ours: [], reading: [], bare: [], database: [] },
    }
    for (let round = 0; round < rounds; round++) {
      const waiting = await ours.takeIn(photo)
      const database = await familyCpu(ours.postmaster)
      taken.ours.push(await measured(ours.pid, () => ours.makeAll(waiting)))
      taken.database.push({ cpuMs: ((await familyCpu(ours.postmaster)) - database) / photos, perSecond: 0 })
      taken.bare.push(await measured(ring.floor.pid, bare))
      const unread = await reading.takeIn(photo)
      taken.reading.push(await measured(reading.pid, () => reading.makeAll(unread)))
    }
    const [mine, floor, database] = [best(taken.ours), best(taken.bare), best(taken.database)]
    const ratio = mine.cpuMs / floor.cpuMs
    ring.report(
      'a 12 MP photo from finalize to ready',
      `${mine.perSecond.toFixed(1)}/s vs sharp ${floor.perSecond.toFixed(1)}/s, CPU ${mine.cpuMs.toFixed(0)} vs ${floor.cpuMs.toFixed(0)} ms (and ${database.cpuMs.toFixed(0)} of PostgreSQL)`,
      ratio,
      '≥ 10/s or ≤ 1.15 × the CPU',
      mine.perSecond >= 10 || ratio <= 1.15,
    )
    const { cpuMs } = best(taken.reading)
    console.log(
      `      with the words in it ${cpuMs.toFixed(0)} ms, ${(cpuMs / floor.cpuMs).toFixed(2)} × the CPU`,
    )
  } finally {
    await Promise.all([ours.stop(), reading.stop()])
  }
}

interface Taken {
  cpuMs: number
  perSecond: number
}

async function measured(pid: number, work: () => Promise<unknown>): Promise<Taken> {
  const [before, start] = [await familyCpu(pid), performance.now()]
  await work()
  const seconds = (performance.now() - start) / 1000
  return { cpuMs: ((await familyCpu(pid)) - before) / photos, perSecond: photos / seconds }
}

// Disturbances only ever add.
const best = (all: Taken[]): Taken => ({
  cpuMs: Math.min(...all.map(({ cpuMs }) => cpuMs)),
  perSecond: Math.max(...all.map(({ perSecond }) => perSecond)),
})

async function many(work: (n: number) => Promise<{ status: number; body: Buffer }>): Promise<void> {
  let next = 0
  const caller = async () => {
    while (next < photos) {
      const { status, body } = await work(next++)
      if (status >= 400) throw new Error(`${status} ${body}`)
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
}

async function startWorking(ring: Ring, name: string, words: string) {
  const admin = new pg.Client({ connectionString: ring.databaseUrl })
  admin.on('error', () => {})
  await admin.connect()
  await admin.query(`create database ${name}`)
  const url = new URL(ring.databaseUrl)
  url.pathname = `/${name}`
  const port = await freePort()
  const at = `http://127.0.0.1:${port}`
  const child = await serve(port, {
    ...{ PUBLIC_URL: at, DATA_DIR: join(ring.folder, name), DATABASE_URL: url.href, DEMO: 'false' },
    ...{ RATE_LIMIT_PRINCIPAL: '0', RATE_LIMIT_CLIENT: '0', MEDIA_OCR: words },
  })
  const database = new pg.Client({ connectionString: url.href })
  database.on('error', () => {})
  await database.connect()
  const { rows } = await database.query('select pg_backend_pid() as pid')
  const stat = await readFile(`/proc/${rows[0].pid}/stat`, 'utf8')
  const postmaster = Number(stat.split(') ')[1]!.split(' ')[1])

  let cookie = ''
  const post = async (path: string, body: object) => {
    const headers = { cookie, 'content-type': 'application/json' }
    const answer = await hit({ url: at + path, method: 'POST', headers, body: JSON.stringify(body) })
    if (answer.status >= 400) throw new Error(`${answer.status} ${answer.body}`)
    return answer
  }
  // A server is ready a moment before it has its first admin.
  while (!cookie) {
    const { headers } = await fetch(`${at}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(login),
    })
    cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
    if (!cookie) await pause(500)
  }
  const { clientId } = parsed(await post('/admin/clients', { name: 'photos', quotaBytes: 1e12 }))
  const sessions = `/admin/clients/${clientId}/assets/upload-session`

  return {
    ...{ pid: child.pid!, postmaster },
    async takeIn(photo: Buffer): Promise<string[]> {
      const file = { originalFilename: 'a.jpg', mimeType: 'image/jpeg', expectedSizeBytes: photo.length }
      const tokens: string[] = []
      for (let n = 0; n < photos; n++) {
        const { uploadUrl, uploadToken } = parsed(await post(sessions, file))
        await hit({ url: uploadUrl, method: 'PUT', body: photo })
        tokens.push(uploadToken)
      }
      return tokens
    },
    async makeAll(tokens: string[]): Promise<void> {
      await many((n) => post(`${sessions}/finalize`, { uploadToken: tokens[n] }))
      for (;;) {
        const { rows } = await database.query(
          `select count(*) filter (where media_state = 'pending' or ${words !== 'off'} and text_sought_in is null) as waiting,
            count(*) filter (where media_state = 'failed') as failed from assets join asset_versions v on v.asset_id = assets.id`,
        )
        if (Number(rows[0].failed) > 0) throw new Error('A photo could not be shown')
        if (Number(rows[0].waiting) === 0) return
        await pause(20)
      }
    },
    async stop() {
      child.kill('SIGTERM')
      await new Promise((resolve) => child.once('exit', resolve))
      await database.end()
      await admin.end()
    },
  }
}

const parsed = ({ body }: { body: Buffer }) => JSON.parse(body.toString())
