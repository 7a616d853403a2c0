import { sql } from 'kysely'
import { isFilm, type MediaType } from '../../contract/media-types.ts'
import type { OcrLanguage } from '../../contract/ocr-languages.ts'
import { type VersionRow, versionIfThere } from '../assets/asset.ts'
import { isOutage } from '../http/answers.ts'
import type { JobData } from '../jobs/jobs.ts'
import { change, type Library, makeLibrary, type Parts, system } from '../library.ts'
import { Problem } from '../problems.ts'
import { asSource } from '../storage/as-source.ts'
import { derivedFile, derivedKey, forgetDerived } from './derived.ts'
import { previewName, sourceOf } from './preview.ts'

/** After its previews are there: the text is read from the largest of them, and the original is not fetched again. */
export async function queueReading(parts: Parts, data: JobData['ocr']): Promise<void> {
  const languages = await languagesOf(parts, data.clientId)
  if (languages.length === 0) return
  const library = makeLibrary(parts, data.clientId, system)
  const version = await versionIfThere(library.db, library, data.assetId, data.version)
  if (version && isUnread(version, languages))
    await change(library, ({ trx }) => library.jobs.send(trx, 'ocr', data))
}

/** Finds the text in a picture. Done twice, it is read once. */
export async function readText(parts: Parts, data: JobData['ocr']): Promise<void> {
  const library = makeLibrary(parts, data.clientId, system)
  const version = await versionIfThere(library.db, library, data.assetId, data.version)
  const languages = await languagesOf(parts, data.clientId)
  if (version && isUnread(version, languages))
    await keep(library, version, languages, await textOf(library, version, languages))
}

/** In one run, and for how long it goes on. The next one continues. */
const most = 100
const mostMs = 8 * 60_000

/** Reads pictures that were uploaded before that was done, or are to be read in other languages by now: one of each client in turn. */
export async function readBacklog(parts: Parts): Promise<void> {
  const end = Date.now() + mostMs
  for (const { client_id, asset_id, version } of await unread(parts))
    if (Date.now() < end) await readText(parts, { clientId: client_id, assetId: asset_id, version })
}

/** Those of the client, or else of the installation, as far as they are installed. */
async function languagesOf(parts: Parts, clientId: string): Promise<OcrLanguage[]> {
  const { ocr } = parts.config
  if (!ocr) return []
  const client = await parts.db
    .selectFrom('clients')
    .select('ocr_languages')
    .where('id', '=', clientId)
    .executeTakeFirst()
  const wanted = client?.ocr_languages ?? ocr
  const installed = await languagesInstalled(parts)
  return wanted.filter((language) => installed.includes(language))
}

const languagesInstalled = async ({ media }: Parts): Promise<OcrLanguage[]> => {
  const { tesseract, ocrLanguages } = await media.capabilities()
  return tesseract ? ocrLanguages : []
}

const isUnread = (version: VersionRow, languages: OcrLanguage[]) =>
  languages.length > 0 && !isFilm(version.mime_type) && version.text_sought_in !== languages.join(' ')

/** Empty too where it cannot be read, which is not tried again. */
async function textOf(library: Library, version: VersionRow, languages: OcrLanguage[]): Promise<string> {
  try {
    return await textInPreview(library, version, languages)
  } catch (error) {
    if (isOutage(error)) throw error
    return ''
  }
}

async function textInPreview(
  library: Library,
  version: VersionRow,
  languages: OcrLanguage[],
): Promise<string> {
  const preview = await largePreview(library, version)
  const source = asSource(library, derivedKey(version, preview), preview.sizeBytes)
  return library.media.text(source, languages).catch(async (error) => {
    if (!(error instanceof Problem && error.code === 'object-missing')) throw error
    await forgetDerived(library, version, preview)
    throw new Problem('media-busy', 'The stored preview was damaged and is made anew.', { cause: error })
  })
}

const largePreview = (library: Library, version: VersionRow) =>
  derivedFile(library, version, previewName('large', 'webp'), async () => {
    const wanted = [{ size: 'large', format: 'webp' } as const]
    const type = version.mime_type as MediaType
    const { pictures } = await library.media.previews(sourceOf(library, version), type, wanted)
    return { ...pictures[0]!, mimeType: 'image/webp' }
  })

const keep = (library: Library, version: VersionRow, languages: OcrLanguage[], text: string) =>
  change(library, async (its) => {
    const { client_id, asset_id, version: number } = version
    // First of all: that is the order in which everybody locks them.
    const asset = await its.trx
      .selectFrom('assets')
      .select(['version', 'media_state'])
      .where('client_id', '=', client_id)
      .where('id', '=', asset_id)
      .forUpdate()
      .executeTakeFirst()
    if (!asset) return
    await its.trx
      .updateTable('asset_versions')
      .set({ text_sought_in: languages.join(' ') })
      .where('client_id', '=', client_id)
      .where('asset_id', '=', asset_id)
      .where('version', '=', number)
      .execute()
    const found = { text, read_at: new Date() }
    const { numUpdatedRows } = await its.trx
      .updateTable('picture_texts')
      .set(found)
      .where('client_id', '=', client_id)
      .where('asset_id', '=', asset_id)
      .where('version', '=', number)
      .executeTakeFirst()
    if (text && numUpdatedRows === 0n)
      await its.trx
        .insertInto('picture_texts')
        .values({ client_id, asset_id, version: number, ...found })
        .execute()
    if (text && asset.version === number)
      its.tell('asset.media', asset_id, { version: number, state: asset.media_state, hasText: true })
  })

type Unread = Pick<VersionRow, 'client_id' | 'asset_id' | 'version'>

/** What waits for its previews is read after them. */
async function unread(parts: Parts): Promise<Unread[]> {
  const { ocr } = parts.config
  const installed = await languagesInstalled(parts)
  if (!ocr || installed.length === 0) return []
  const apart = (compared: '<' | '>') => sql`(
    select its.client_id, its.asset_id, its.version from asset_versions its
    left join assets on assets.client_id = its.client_id and assets.id = its.asset_id and assets.version = its.version
    where its.client_id = c.id and its.mime_type like 'image/%'
      and coalesce(its.text_sought_in, '') ${sql.raw(compared)} wanted.languages
      and assets.media_state is distinct from 'pending'
    order by coalesce(its.text_sought_in, ''), its.asset_id, its.version limit ${most})`
  const { rows } = await sql<Unread>`
    select its.client_id, its.asset_id, its.version from clients c
    cross join lateral (select string_agg(language, ' ' order by place) collate "C" as languages
      from unnest(coalesce(c.ocr_languages, ${ocr}::text[])) with ordinality as all_of (language, place)
      where language = any(${installed}::text[])) wanted
    cross join lateral (${apart('<')} union all ${apart('>')}) its
    order by row_number() over (partition by its.client_id order by its.asset_id, its.version), its.client_id
    limit ${most}`.execute(parts.db)
  return rows
}
