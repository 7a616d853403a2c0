import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { mostRequestedBytes, mostRequestedFiles } from '../../contract/upload-requests.ts'
import { Strict } from '../../contract/words.ts'
import { peopleToMove } from '../access/portable.ts'
import { linksToMake, PortableLink, toPortableLink } from '../access/portable-links.ts'
import { change, type Library } from '../library.ts'
import { inChunks, type MovedIds, type Refused, section, type TakenIn } from '../section.ts'
import { taken } from './request.ts'
import { waiting } from './waiting-room.ts'

const PortableUploadRequest = Strict({
  ...PortableLink.properties,
  // What is left of them: what was sent before the move counts.
  maxFiles: Type.Integer({ minimum: 0, maximum: mostRequestedFiles }),
  maxBytes: Type.Integer({ minimum: 0, maximum: mostRequestedBytes }),
})
type PortableUploadRequest = Static<typeof PortableUploadRequest>

export const uploadRequestsSection = section({
  name: 'uploadRequest',
  line: PortableUploadRequest,
  write: writeRequests,
  leavesOut: waitingFiles,
  async read(library, requests, ids) {
    await ids.settle(
      'request',
      requests.map(({ linkId }) => linkId),
      (some) =>
        library.db
          .selectFrom('upload_requests')
          .select(['id', 'client_id'])
          .where(sql<boolean>`id = any(${some}::text[])`)
          .execute(),
    )
    return inChunks(requests, (some) => takeIn(library, some, ids))
  },
})

async function writeRequests({ db, clientId }: Library): Promise<PortableUploadRequest[]> {
  const requests = await db
    .selectFrom('upload_requests')
    .selectAll()
    .where('client_id', '=', clientId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const person = await peopleToMove(
    db,
    requests.map(({ created_by }) => created_by),
  )
  const lines: PortableUploadRequest[] = []
  for (const row of requests) {
    const { files, bytes } = await taken(db, row)
    lines.push({
      ...toPortableLink(row, person(row.created_by)),
      maxFiles: Math.max(0, row.max_files - files),
      maxBytes: Math.max(0, row.max_bytes - bytes),
    })
  }
  return lines
}

/** Nobody has said yet that the library is to have them. */
async function waitingFiles(library: Library): Promise<Refused[]> {
  const files = await waiting(library).orderBy('id').execute()
  return files.map(({ original_filename, sender }) => ({
    file: `waiting room: ${original_filename}`,
    code: 'in-use',
    detail: `${sender} sent it, and nobody has decided on it. Accept or decline it, then export again.`,
  }))
}

const takeIn = (library: Library, requests: PortableUploadRequest[], ids: MovedIds): Promise<TakenIn> =>
  change(library, async (its) => {
    const { fresh, there, refused } = await linksToMake(its.trx, 'upload_requests', library, requests, ids)
    if (fresh.length > 0) {
      await its.trx
        .insertInto('upload_requests')
        .values(
          fresh.map(({ line, columns }) => ({
            ...columns,
            max_files: line.maxFiles,
            max_bytes: line.maxBytes,
          })),
        )
        .execute()
      its.note({
        action: 'client.imported',
        thing: library.clientId,
        details: { uploadRequests: fresh.length },
      })
    }
    return { made: fresh.length, there, refused }
  })
