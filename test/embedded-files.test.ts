import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ofThisMachine } from './command.ts'
import { person } from './person.ts'
import { png } from './pictures.ts'
import { freePort } from './setup/postgres.ts'
import { adminLogin, signIn } from './world.ts'

const cli = fileURLToPath(new URL('../cli/asset-library.js', import.meta.url))
let folder: string
let library: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'library-files-'))
  library = join(folder, 'library')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The command line under a umask, with nothing of this process's but the machine. */
function run(umask: string, DATA_DIR: string, port: number, ...args: string[]) {
  const env = {
    ...ofThisMachine(),
    DATA_DIR,
    PORT: String(port),
    DEMO: '0',
    BOOTSTRAP_ADMIN_EMAIL: adminLogin.email,
    BOOTSTRAP_ADMIN_PASSWORD: adminLogin.password,
  }
  const child = spawn('sh', ['-c', `umask ${umask}; exec "$0" "$@"`, process.execPath, cli, ...args], {
    env,
    cwd: folder,
  })
  // A server that a failed test leaves would hold the folder against all that follow.
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const said = { output: '', errors: '' }
  child.stdout.on('data', (chunk) => {
    said.output += chunk
  })
  child.stderr.on('data', (chunk) => {
    said.errors += chunk
  })
  return { child, said, ended: once(child, 'close').then(([code]) => ({ code, ...said })) }
}

async function serves(umask: string) {
  const port = await freePort()
  const server = run(umask, library, port, 'serve')
  while (!server.said.output.includes('Client Asset Library is at')) {
    expect(server.child.exitCode, server.said.errors).toBeNull()
    await pause(50)
  }
  const url = `http://127.0.0.1:${port}`
  const admin = person(url, { cookie: await signIn(url, adminLogin.email, adminLogin.password) })
  return { admin, server }
}

async function uploadsUnder(umask: string): Promise<void> {
  const { admin, server } = await serves(umask)
  const { body: client } = await admin.post('/admin/clients', { name: `Umask ${umask}` })
  const operator = admin.at({ assets: `/admin/clients/${client.clientId}/assets`, events: '' })
  const { assetId } = await operator.uploads(png(300, 200))
  await operator.opensUpload()
  expect((await operator.fetch(`${operator.door.assets}/${assetId}/preview?size=thumb`)).status).toBe(200)
  server.child.kill('SIGTERM')
  expect((await server.ended).code).toBe(0)
}

/** Whatever others may read, write or enter. */
async function openToOthers(dir: string): Promise<string[]> {
  const found: string[] = []
  for (const path of [dir, ...(await readdir(dir, { recursive: true })).map((name) => join(dir, name))]) {
    const { mode } = await stat(path)
    if (mode & 0o077) found.push(`${(mode & 0o777).toString(8)} ${path.slice(dir.length)}`)
  }
  return found
}

describe('the folder of the embedded default', () => {
  // The first start makes it all; the next writes beside what is there.
  test.for(['000', '022'])('is its owner’s alone under a umask of %s', async (umask) => {
    await uploadsUnder(umask)
    const names = await readdir(library, { recursive: true })
    expect(names.filter((name) => name.startsWith('database/')).length).toBeGreaterThan(500)
    expect(names.filter((name) => /^objects\/clients\/.*original/.test(name)).length).toBeGreaterThan(0)
    expect(names).toContain('secret.key')
    expect(await openToOthers(library)).toEqual([])
  })

  test('and so is a backup, and what is restored from it', async () => {
    const file = join(folder, 'backup.tar')
    expect(await run('000', library, 0, 'backup', file).ended).toMatchObject({ code: 0 })
    expect((await stat(file)).mode & 0o077).toBe(0)
    const restored = join(folder, 'restored')
    expect(await run('000', restored, 0, 'restore', file).ended).toMatchObject({ code: 0 })
    expect(await openToOthers(restored)).toEqual([])
  })
})

test('should the process of the embedded database be killed, another takes over, and nothing acknowledged is lost', async ({
  skip,
}) => {
  skip(process.platform !== 'linux', 'this system does not list the children of a process')
  const { admin, server } = await serves('022')
  const { body: client } = await admin.post('/admin/clients', { name: 'Kept' })
  const children = await readFile(`/proc/${server.child.pid}/task/${server.child.pid}/children`, 'utf8')
  const pids = children.trim().split(' ').map(Number)
  const names = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8')))
  process.kill(pids[names.findIndex((name) => name.includes('embedded-process'))]!, 'SIGKILL')
  const answers: number[] = []
  const path = `/admin/clients/${client.clientId}/assets/folders`
  while (answers.at(-1) !== 201) {
    answers.push((await admin.post(path, { name: 'After' })).status)
    await pause(20)
  }
  expect(answers.filter((status) => ![201, 503].includes(status))).toEqual([])
  server.child.kill('SIGTERM')
  expect((await server.ended).code).toBe(0)
})

describe('a start says in a sentence what is wrong', () => {
  const damages: [string, (database: string) => Promise<unknown>, RegExp][] = [
    [
      'an overwritten control file',
      (database) => writeFile(join(database, 'global/pg_control'), Buffer.alloc(8192)),
      /is damaged \(.+\)\. Restore a backup \(npx asset-library restore FILE --force\)/,
    ],
    [
      'a log of changes that is gone',
      async (database) => {
        for (const name of await readdir(join(database, 'pg_wal')))
          await rm(join(database, 'pg_wal', name), { recursive: true })
      },
      /is damaged \(could not locate a valid checkpoint record.*\)\. Restore a backup/,
    ],
    [
      'overwritten tables',
      async (database) => {
        const tables = join(database, 'base/5')
        for (const name of await readdir(tables))
          if (/^1\d+$/.test(name))
            await writeFile(join(tables, name), Buffer.alloc((await stat(join(tables, name))).size, 7))
      },
      /is damaged \(.*invalid page.*\)\. Restore a backup/,
    ],
    [
      'a database that was never finished, or somebody else’s folder',
      (database) => rm(join(database, 'PG_VERSION')),
      /holds no database, but something else, or one that was never finished\. Restore a backup/,
    ],
    [
      'one of another PostgreSQL',
      (database) => writeFile(join(database, 'PG_VERSION'), '12\n'),
      /is damaged \(database files are incompatible with server\)/,
    ],
    [
      'a file in its place',
      async (database) => {
        await rm(database, { recursive: true })
        await writeFile(database, 'a file')
      },
      /database is a file, and the embedded database needs a folder there\. Move it away/,
    ],
  ]
  test.for(damages)('%s', async ([, damage, says]) => {
    const DATA_DIR = await mkdtemp(join(folder, 'damaged-'))
    await cp(library, DATA_DIR, { recursive: true })
    await damage(join(DATA_DIR, 'database'))
    await cannotStart(DATA_DIR, says)
  })

  test('a file where DATA_DIR should be', async () => {
    const DATA_DIR = join(folder, 'file')
    await writeFile(DATA_DIR, 'a file')
    await cannotStart(
      DATA_DIR,
      /DATA_DIR .* cannot be written \(a file is in its place\)\. .*set DATA_DIR to another folder/,
    )
    expect(await readFile(DATA_DIR, 'utf8')).toBe('a file')
  })

  test('a DATA_DIR that may not be written', async ({ skip }) => {
    skip(process.getuid?.() === 0, 'root may write everywhere')
    const DATA_DIR = await mkdtemp(join(folder, 'closed-'))
    await chmod(DATA_DIR, 0o500)
    await cannotStart(DATA_DIR, /DATA_DIR .* cannot be written \(EACCES\)\. Correct its rights/)
  })

  async function cannotStart(DATA_DIR: string, says: RegExp): Promise<void> {
    const { code, errors } = await run('022', DATA_DIR, await freePort(), 'serve').ended
    expect(errors).toMatch(says)
    expect(errors).toMatch(/^Cannot start: .*\n$/)
    expect(code).toBe(1)
  }
})
