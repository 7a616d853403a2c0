import { join } from 'node:path'
import { CannotStart, type Config } from '../server/config.ts'
import { openOneStore } from '../server/parts.ts'
import { moveObjects } from '../server/storage/move.ts'
import { type Command, readableBytes } from './command.ts'
import { config } from './open.ts'
import { progress } from './progress.ts'

export const command: Command = {
  summary: 'Copy every object from STORAGE_PREVIOUS into the store that is set now.',
  explain:
    'Runs beside the server, also on the embedded database. Each object is read back and compared. Broken off, it goes on\nwhere it was. It ends with 1 as long as there is a reason to keep STORAGE_PREVIOUS: uploads begun before the\nmove, or objects that differ. Nothing is removed from the store before. See docs/operations.md.',
  async run(given) {
    const settings = config()
    const { storage, previousStorage } = settings
    if (!previousStorage)
      throw new CannotStart(
        'STORAGE_PREVIOUS is not set. Set it to the store to move from, and the storage settings to the one to move to.',
      )
    const name = `${nameOf(settings, previousStorage)} → ${nameOf(settings, storage)}`
    // Nothing is signed here.
    const [from, to] = [previousStorage, storage].map((one) => openOneStore(settings, one, 'only moving'))
    const bar = progress({ label: 'objects', quiet: given.json })
    try {
      await from!.check()
      await to!.check()
      const bookmark = join(settings.dataDir, 'move-storage.json')
      const moved = await moveObjects({ from: from!, to: to!, bookmark, name, advance: bar.advance })
      const { objects, bytes, there, uploads, differing } = moved
      const isDone = objects === 0 && uploads === 0 && differing.length === 0
      return {
        lines: [
          ...differing.map((key) => `differs  ${key}`),
          `${name}: ${objects} objects moved and compared (${readableBytes(bytes)}), ${there} were there`,
          ...(uploads > 0
            ? [`${uploads} objects are of uploads begun before, and stay where they are.`]
            : []),
          isDone
            ? 'All is in the new store. Once the uploads begun before are over (UPLOAD_SESSION_SECONDS), take STORAGE_PREVIOUS away and restart.'
            : 'Run it again until nothing is left to move.',
        ],
        json: { ...moved, done: isDone },
        faulty: uploads > 0 || differing.length > 0,
      }
    } finally {
      bar.end()
      await from!.close()
      await to!.close()
    }
  },
}

function nameOf({ dataDir }: Config, storage: Config['storage']): string {
  if (storage.kind === 's3') return `${storage.s3.endpoint}/${storage.s3.bucket}`
  return storage.kind === 'disk' ? join(dataDir, 'objects') : 'a store that is not set up'
}
