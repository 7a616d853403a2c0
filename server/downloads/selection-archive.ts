import { type RawBuilder, sql } from 'kysely'
import { type Download, mostInDownload, type NewDownload } from '../../contract/downloads.ts'
import { filenameOf } from '../assets/filenames.ts'
import { conditionsOf, type Search } from '../assets/search.ts'
import { searchExactly } from '../assets/spelling.ts'
import type { Db, Trx } from '../db/database.ts'
import { folderPath, idsBelow, pathsTo } from '../folders/tree.ts'
import type { LongFile } from '../http/file-answers.ts'
import { isId, knownId, newId } from '../ids.ts'
import { type Change, changeOnce, downloaded, type Library } from '../library.ts'
import { notFound, Problem } from '../problems.ts'
import { archiveOf, inTurn } from './archive.ts'
import { type Original, originalEntry } from './folder-archive.ts'

const openHours = 24
/** Of one caller: a new one takes the place of the oldest. */
const mostOpen = 20

/** Keeps which files make the zip, and under which names; the bytes are read when it is fetched. */
export async function createDownload(library: Library, input: NewDownload): Promise<Omit<Download, 'url'>> {
  refuseMixed(input)
  const search = input.search && (await searchExactly(library, input.search))
  const make = async (its: Change): Promise<Omit<Download, 'url'>> => {
    const files = await chosenFiles(its.trx, library, { ...input, search })
    const { name, paths } = await namedIn(its.trx, library, files)
    const expiresAt = new Date(Date.now() + openHours * 3_600_000)
    const downloadId = newId('download')
    await keep(its, library, { id: downloadId, name, file_count: files.length, expires_at: expiresAt })
    await keepFiles(its, library, downloadId, files, paths)
    const archive = archiveOf(
      `${name}.zip`,
      files.map((file, at) => originalEntry(library, { ...file, path: paths[at]! })),
    )
    return {
      downloadId,
      filename: archive.filename,
      files: files.length,
      sizeBytes: archive.sizeBytes,
      expiresAt: expiresAt.toISOString(),
    }
  }
  return inTurn(library, () => changeOnce(library, make))
}

/** The zip that was asked for, and never less of it. */
export async function selectionArchive(library: Library, downloadId: string): Promise<LongFile> {
  const { clientId, caller, db } = library
  const download = await db
    .selectFrom('downloads')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('id', '=', knownId('download', downloadId))
    .where('created_by', '=', caller.id)
    .where('expires_at', '>', new Date())
    .executeTakeFirst()
  if (!download) throw notFound('No download')
  const { id, name, file_count } = download
  const files = await inTurn(library, () => keptFiles(db, library, id))
  if (files.length < file_count) throw changedMeanwhile()
  return {
    ...archiveOf(
      `${name}.zip`,
      files.map((file) => originalEntry(library, file)),
    ),
    begins: () =>
      downloaded(library, {
        action: 'asset.downloaded',
        thing: id,
        name: `${name}.zip`,
        details: { files: file_count },
      }),
  }
}

interface FoundFile extends Omit<Original, 'path'> {
  id: string
  folder_id: string | null
  title: string
  version: number
  mime_type: string
}

type Chosen = Omit<NewDownload, 'search'> & { search?: Search | undefined }

async function chosenFiles(trx: Trx, library: Library, input: Chosen): Promise<FoundFile[]> {
  const conditions = await chosenBy(trx, library, input)
  const { rows } = await sql<FoundFile>`
    select a.id, a.folder_id, a.title, a.version, v.mime_type, v.size_bytes, v.crc32, v.object_prefix, v.created_at
    from (select client_id, id, folder_id, title, version from assets
      where ${sql.join(conditions, sql` and `)} and trashed_at is null
      order by folder_id, id limit ${sql.lit(mostInDownload + 1)}) a
    join asset_versions v on v.client_id = a.client_id and v.asset_id = a.id and v.version = a.version
    order by a.folder_id, a.id`.execute(trx)
  if (rows.length > mostInDownload) throw tooMany()
  const found = new Set(rows.map(({ id }) => id))
  if (input.assetIds?.some((id) => !found.has(id))) throw notAllHere()
  if (rows.length === 0) throw nothingIn(input)
  return rows
}

async function chosenBy(trx: Trx, library: Library, input: Chosen): Promise<RawBuilder<unknown>[]> {
  const { search, except = [], assetIds = [], folderIds = [] } = input
  if (search?.folderId !== undefined) await folderPath(trx, library, search.folderId)
  for (const folderId of folderIds) await folderPath(trx, library, folderId)
  const found = search && [...conditionsOf(library, search), sql`id <> all(${except}::text[])`]
  if (found && folderIds.length === 0) return found
  return [
    sql`client_id = ${library.clientId}`,
    sql`(${sql.join(
      [
        found
          ? sql`(${sql.join(found, sql` and `)})`
          : sql`id = any(${assetIds.filter((id) => isId('asset', id))}::text[])`,
        ...folderIds.map((folderId) => sql`folder_id = any(${idsBelow(library, folderId)})`),
      ],
      sql` or `,
    )})`,
  ]
}

/** Where each file goes, below the last folder that all of them have in common: that one gives the zip its name. */
async function namedIn(trx: Trx, library: Library, files: FoundFile[]) {
  const folders = await pathsTo(trx, library, [...new Set(files.flatMap(({ folder_id }) => folder_id ?? []))])
  const places = files.map(({ folder_id }) => folders.get(folder_id ?? '') ?? [])
  const common = places.reduce((shared, place) => shared.slice(0, sharedLength(shared, place)))
  return {
    name: common.at(-1) ?? (await clientName(trx, library)),
    paths: files.map(({ title, mime_type }, at) => [
      ...places[at]!.slice(common.length),
      filenameOf(title, mime_type),
    ]),
  }
}

function sharedLength(one: string[], other: string[]): number {
  const differs = one.findIndex((name, at) => name !== other[at])
  return differs < 0 ? one.length : differs
}

async function clientName(trx: Trx, { clientId }: Library): Promise<string> {
  const client = await trx.selectFrom('clients').select('name').where('id', '=', clientId).executeTakeFirst()
  return client?.name ?? 'Assets'
}

async function keep(
  { trx }: Change,
  { clientId, caller }: Library,
  download: { id: string; name: string; file_count: number; expires_at: Date },
) {
  const theirs = trx
    .selectFrom('downloads')
    .select('id')
    .where('client_id', '=', clientId)
    .where('created_by', '=', caller.id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(mostOpen - 1)
  await trx.deleteFrom('downloads').where('client_id', '=', clientId).where('id', 'in', theirs).execute()
  await trx
    .insertInto('downloads')
    .values({ client_id: clientId, created_by: caller.id, ...download })
    .execute()
}

async function keepFiles(
  { trx }: Change,
  { clientId }: Library,
  downloadId: string,
  files: FoundFile[],
  paths: string[][],
) {
  const rows = files.map(({ id, version, crc32 }, place) => ({
    place,
    asset_id: id,
    version,
    crc32,
    path: paths[place],
  }))
  await sql`
    insert into download_files (client_id, download_id, place, asset_id, version, path, crc32)
    select ${clientId}, ${downloadId}, f.place, f.asset_id, f.version, f.path, f.crc32
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as f (place integer, asset_id text, version integer, path text[], crc32 bigint)`.execute(trx)
}

/** Without what was trashed or removed since. */
async function keptFiles(db: Db, { clientId }: Library, downloadId: string): Promise<Original[]> {
  const { rows } = await sql<Original>`
    select f.path, f.crc32, v.size_bytes, v.object_prefix, v.created_at
    from download_files f
    join asset_versions v on v.client_id = f.client_id and v.asset_id = f.asset_id and v.version = f.version
    join assets a on a.client_id = f.client_id and a.id = f.asset_id and a.trashed_at is null
    where f.client_id = ${clientId} and f.download_id = ${downloadId}
    order by f.place`.execute(db)
  return rows
}

export const forgetOldDownloads = (db: Db) =>
  db.deleteFrom('downloads').where('expires_at', '<', sql<Date>`now()`).execute()

function refuseMixed({ search, except, assetIds, folderIds }: NewDownload): void {
  const named = [...(assetIds ?? []), ...(folderIds ?? [])].length
  if (search ? !assetIds : named > 0 && !except) return
  throw new Problem(
    'invalid-request',
    'Name assetIds, or a search and what to leave out of it; and folderIds.',
    {
      extra: { errors: [{ path: '/search', message: 'either this, or assetIds' }] },
    },
  )
}

const notAllHere = () =>
  new Problem('not-found', 'Not all of these assets are here any more. Leave out those that are gone.')

const nothingIn = ({ search }: Chosen) =>
  new Problem(
    'not-found',
    search
      ? 'Nothing to download was found by this search. Look for other words, or with fewer filters.'
      : 'There is nothing in these folders to download. Choose others.',
  )

const tooMany = () =>
  new Problem(
    'too-large',
    `A zip holds ${mostInDownload} files at most. Search for fewer, or download folder by folder.`,
    { extra: { params: { most: mostInDownload } } },
  )

const changedMeanwhile = () =>
  new Problem('changed-meanwhile', 'Some of these files were removed since. Ask for a new download.')
