import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { makeLibrary } from '../server/library.ts'
import { exportLibrary } from '../server/portable/export.ts'
import { type Command, Misuse } from './command.ts'
import { clientNamed, commandLine } from './open.ts'
import { withParts } from './open-parts.ts'
import { type Progress, progress } from './progress.ts'

export const command: Command = {
  summary: 'Write a client’s whole library into a folder.',
  takes: ['DIR'],
  explain:
    'Folders and files under files/, earlier versions under versions/, the trash under trash/, and library.jsonl with\neverything that is known of them, where they are used and where they were delivered. DIR is new or empty, or holds an export of the same client: then only\nwhat is missing or has changed is fetched, so an interrupted export goes on when it is run again.',
  options: { client: { value: 'CLIENT', explain: 'Whose library, by id or name.', needed: true } },
  run: (given) =>
    withParts(async (parts) => {
      const dir = resolve(given.args[0]!)
      const clientId = await clientNamed(parts.db, given.needed('client'))
      await claim(dir, clientId)
      let bar: Progress | undefined
      try {
        const exported = await exportLibrary(makeLibrary(parts, clientId, commandLine), dir, {
          begins: (total) => {
            bar = progress({ label: 'exported', total, bytes: true, quiet: given.json })
          },
          advances: (bytes) => bar?.advance(bytes),
        })
        const { assets, written, there, faults } = exported
        return {
          lines: [
            ...faults.map(({ file, detail }) => `left out  ${file}  ${detail}`),
            `${assets} assets: ${written} files written, ${there} were there already, ${faults.length} left out`,
          ],
          json: { clientId, ...exported },
          faulty: faults.length > 0,
        }
      } finally {
        bar?.end()
      }
    }),
}

/** Says whose export the folder holds, so that no other is written over it. */
async function claim(dir: string, clientId: string): Promise<void> {
  await mkdir(dir, { recursive: true }).catch((error) => {
    throw new Misuse(`${dir} cannot be made (${error.code}).`)
  })
  const mark = join(dir, '.export.json')
  const holder = await readFile(mark, 'utf8').then(JSON.parse, () => undefined)
  if (holder?.clientId === clientId) return
  if (holder) throw new Misuse(`${dir} holds an export of ${holder.clientId}. Name another folder.`)
  if ((await readdir(dir)).length > 0)
    throw new Misuse(`${dir} is not empty and holds no export. Name another folder.`)
  await writeFile(mark, `${JSON.stringify({ clientId })}\n`)
}
