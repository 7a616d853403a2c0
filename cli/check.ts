import { faultsOf, type Looked, libraryToCheck, unknownClients } from '../server/check/check.ts'
import { type Fault, faultKinds } from '../server/check/fault.ts'
import { allClients } from './client.ts'
import { type Command, type Given, Misuse, readableBytes, wholeNumber } from './command.ts'
import { clientNamed } from './open.ts'
import { withParts } from './open-parts.ts'
import { progress } from './progress.ts'

export const command: Command = {
  summary: 'See whether every row and every object agree.',
  explain: `Changes nothing. It ends with 1 when it finds one of these:\n${Object.entries(faultKinds)
    .map(([kind, meaning]) => `  ${kind.padEnd(16)}${meaning}`)
    .join('\n')}`,
  options: {
    client: { value: 'CLIENT', explain: 'Only this client, by id or name. Default: all.' },
    read: { value: '5%', explain: 'Also read this share of the originals and compare their bytes.' },
    grace: {
      value: 'SECONDS',
      explain: 'Leave out objects without a row that are younger; they may be in the making. Default: 3600.',
    },
  },
  run: (given) =>
    withParts(async (parts) => {
      const wishes = { read: share(given), grace: (wholeNumber(given, 'grace') ?? 3600) * 1000 }
      const only = given.text('client')
      const clientIds = only
        ? [await clientNamed(parts.db, only)]
        : (await allClients(parts.db)).map(({ clientId }) => clientId)
      const looked: Looked = { files: 0, objects: 0, read: 0, readBytes: 0, withoutChecksum: 0 }
      const faults: Fault[] = []
      const bar = progress({ label: 'clients', total: clientIds.length, quiet: given.json })
      for (const clientId of clientIds) {
        for await (const fault of faultsOf(libraryToCheck(parts, clientId), wishes, looked))
          faults.push(fault)
        bar.advance(1)
      }
      if (!only) for await (const fault of unknownClients(parts)) faults.push(fault)
      bar.end()
      return {
        lines: [
          ...faults.map(
            ({ kind, clientId, subject, detail }) => `${kind}  ${clientId}  ${subject}  ${detail}`,
          ),
          `${faults.length} faults in ${looked.files} files of ${clientIds.length} clients; ${looked.read} read (${readableBytes(looked.readBytes)})${looked.withoutChecksum > 0 ? `; ${looked.withoutChecksum} without a checksum to compare with` : ''}`,
        ],
        json: { clients: clientIds.length, ...looked, faults },
        faulty: faults.length > 0,
      }
    }),
}

function share(given: Given): number {
  const text = given.text('read')
  if (text === undefined) return 0
  const percent = Number(text.replace(/%$/, ''))
  if (text === '' || !(percent >= 0 && percent <= 100))
    throw new Misuse('--read must be a share from 0% to 100%.')
  return percent / 100
}
