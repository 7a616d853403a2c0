import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { makeLibrary } from '../server/library.ts'
import { importLibrary } from '../server/portable/import.ts'
import { openJournal } from '../server/portable/journal.ts'
import { type Command, Misuse } from './command.ts'
import { clientNamed, commandLine } from './open.ts'
import { withParts } from './open-parts.ts'
import { type Progress, progress } from './progress.ts'

export const command: Command = {
  summary: 'Take a folder of files into a client’s library.',
  takes: ['DIR'],
  explain:
    'DIR is what export wrote, or any folder with pictures and videos in it. Every file goes the way of any upload;\none that is refused is told, and the rest goes on. Interrupted, it goes on when it is run again: what has been\ntaken in is written down in DIR, in a hidden file for each client. Ids stay as they were where this server has not\ngiven them to another client; any that could not stay is told with the new one.',
  options: {
    client: { value: 'CLIENT', explain: 'Whose library, by id or name.', needed: true },
    journal: { value: 'FILE', explain: 'Write down elsewhere what has been taken in.' },
  },
  run: (given) =>
    withParts(async (parts) => {
      const dir = resolve(given.args[0]!)
      if (!(await stat(dir).catch(() => undefined))?.isDirectory())
        throw new Misuse(`There is no folder ${dir}.`)
      const clientId = await clientNamed(parts.db, given.needed('client'))
      const path = given.text('journal') ?? join(dir, `.import-${clientId}.jsonl`)
      const journal = await openJournal(path).catch((error) => {
        throw new Misuse(`${path} cannot be written (${error.code}). Name another place with --journal.`)
      })
      let bar: Progress | undefined
      try {
        const imported = await importLibrary(makeLibrary(parts, clientId, commandLine), dir, journal, {
          begins: (total) => {
            bar = progress({ label: 'imported', total, bytes: true, quiet: given.json })
          },
          advances: (bytes) => bar?.advance(bytes),
          refuses: (file, why) => bar?.say(`refused  ${file}  ${why}`),
        })
        const { made, there, refused, renamed, sections } = imported
        return {
          lines: [
            ...renamed.map(({ from, to }) => `renamed  ${from} is in use here and became ${to}`),
            ...Object.entries(sections).map(
              ([name, its]) => `${name}: ${its.made} made, ${its.there} were there already`,
            ),
            `${made} assets made, ${there} were there already, ${refused.length} refused`,
          ],
          json: { clientId, ...imported },
          faulty: refused.length > 0,
        }
      } finally {
        bar?.end()
        await journal.close()
      }
    }),
}
