import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { answerBackups, backupSocket, keptForBackup, momentIsKept } from './live-backup.ts'

test('what is deleted while a backup ends is in nobody’s way', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'library-backup-'))
  const { folder, deleted } = keptForBackup(dataDir)
  const database = { copyTo: (path: string) => mkdir(path) }
  const answering = await answerBackups(
    { config: { dataDir }, database } as never,
    pino({ level: 'error' }) as never,
  )
  onTestFinished(async () => {
    answering!.close()
    await rm(dataDir, { recursive: true })
  })

  let isOver = false
  const deletes = async (who: number) => {
    for (let n = 0; !isOver; n++) await writeFile(join(deleted, `${who}-${n}`), '').catch(() => {})
  }
  const busy = [0, 1, 2, 3].map(deletes)
  for (let turn = 0; turn < 20; turn++) {
    const socket = connect(backupSocket(dataDir))
    expect(String(await once(socket, 'data'))).toBe(momentIsKept)
    expect((await stat(deleted)).isDirectory()).toBe(true)
    socket.destroy()
    await expect.poll(() => existsSync(folder), { interval: 1 }).toBe(false)
  }
  isOver = true
  await Promise.all(busy)
})
