import { sql } from 'kysely'
import type { ProxyProgress, ProxyState } from '../../contract/assets.ts'
import { isFilm } from '../../contract/media-types.ts'
import { assetRow, type VersionRow, versionIfThere, versionRow } from '../assets/asset.ts'
import { lostProxies } from '../assets/lost-work.ts'
import { isOutage } from '../http/answers.ts'
import type { FileAnswer } from '../http/file-answers.ts'
import type { Attempt, JobData } from '../jobs/jobs.ts'
import { change, type Library, makeLibrary, type Parts, system } from '../library.ts'
import { copyOrder } from '../media/films/playable.ts'
import type { MadeFilm } from '../media/process/film-file.ts'
import { notFound, Problem } from '../problems.ts'
import { derivedFile, noteProgress, progressOf, type Stored } from './derived.ts'
import { everySecond } from './every-second.ts'
import { isVerdict, notOurFile } from './make-media.ts'
import { derivedAnswer, sourceOf } from './preview.ts'
import { shown } from './shown.ts'
import { filmFacts } from './wants-proxy.ts'
import { Abandoned, whileWanted } from './while-wanted.ts'

export const proxyName = 'proxy.mp4'

/** Makes the copy of a film that every browser plays, and says on the asset how it went. Done twice, it is made once. */
export async function makeProxy(
  parts: Parts,
  { clientId, assetId, version: number }: JobData['proxy'],
  { last }: Attempt,
): Promise<void> {
  const library = makeLibrary(parts, clientId, system)
  const version = await versionIfThere(library.db, library, assetId, number)
  if (!version || !isFilm(version.mime_type)) return
  const isThere = async () => Boolean(await versionIfThere(library.db, library, assetId, number))
  try {
    await encodeOnce(library, version, isThere)
    await say(library, version, 'ready')
  } catch (error) {
    if (error instanceof Abandoned) return
    if (error instanceof NoEncoder) return say(library, version, 'no-encoder')
    if (isVerdict(error)) return say(library, version, 'failed', error.message)
    if (last && !isOutage(error)) await say(library, version, 'failed', notOurFile(error))
    throw error
  }
}

class NoEncoder extends Error {}

async function encodeOnce(
  library: Library,
  version: VersionRow,
  isWanted: () => Promise<boolean>,
): Promise<void> {
  using wanted = whileWanted(isWanted)
  const { signal } = wanted
  let film: MadeFilm | null | undefined
  try {
    await derivedFile(library, version, proxyName, async () => {
      const progress = everySecond((percent) => noteProgress(library, version, proxyName, percent))
      const source = sourceOf(library, version)
      film = await library.media.film(source, copyOrder(filmFacts(version)), { progress, signal })
      if (!film) throw new NoEncoder()
      return { bytes: film, mimeType: 'video/mp4', width: film.width, height: film.height }
    })
  } finally {
    await film?.[Symbol.asyncDispose]()
  }
}

const say = (library: Library, version: VersionRow, state: ProxyState, problem: string | null = null) =>
  change(library, async (its) => {
    const row = await its.trx
      .updateTable('assets')
      .set({ proxy_state: state, proxy_problem: problem, revision: sql`revision + 1` })
      .where('client_id', '=', library.clientId)
      .where('id', '=', version.asset_id)
      .where('version', '=', version.version)
      .returning(['id', 'media_state'])
      .executeTakeFirst()
    if (row)
      its.tell('asset.media', row.id, { version: version.version, state: row.media_state, proxy: state })
  })

/** Asks for the copy of a film: one that nobody thought needed one, or whose last try failed. */
export async function askForProxy(library: Library, assetId: string): Promise<void> {
  const version = await versionRow(library.db, library, assetId)
  if (!isFilm(version.mime_type)) throw notFound('No film')
  await queueProxy(library, version, ['failed', 'no-encoder'])
}

const queueProxy = (library: Library, version: Stored, instead: ProxyState[]) =>
  change(library, async (its) => {
    const row = await its.trx
      .updateTable('assets')
      .set({ proxy_state: 'waiting', proxy_problem: null, revision: sql`revision + 1` })
      .where('client_id', '=', library.clientId)
      .where('id', '=', version.asset_id)
      .where((eb) => eb.or([eb('proxy_state', 'is', null), eb('proxy_state', 'in', instead)]))
      .returning(['id', 'media_state'])
      .executeTakeFirst()
    if (row)
      its.tell('asset.media', row.id, { version: version.version, state: row.media_state, proxy: 'waiting' })
    const it = { clientId: library.clientId, assetId: version.asset_id }
    for (const data of await lostProxies(its.trx, it)) await library.jobs.send(its.trx, 'proxy', data)
  })

/** The copy itself, by ranges like the original. It is made by a job alone. */
export async function proxyFile(
  library: Library,
  assetId: string,
  wanted: number | undefined,
): Promise<FileAnswer> {
  const { title, version, made } = await shown(library, assetId, wanted, proxyName)
  if (made) {
    const { whole: _, ...answer } = derivedAnswer(library, version, made, title)
    return answer
  }
  const asset = await assetRow(library.db, library, assetId)
  if (asset.version !== version.version || asset.proxy_state !== 'ready') throw notFound('No playable copy')
  // Its object was not what was promised.
  await queueProxy(library, version, ['ready'])
  throw new Problem('media-busy', 'The playable copy was damaged and is made anew. Ask again in a while.', {
    headers: { 'retry-after': '30' },
  })
}

export async function proxyProgress(library: Library, assetId: string): Promise<ProxyProgress> {
  const asset = await assetRow(library.db, library, assetId)
  const version = await versionRow(library.db, library, asset.id, asset.version)
  const { proxy_state: state, proxy_problem: problem } = asset
  const percent = state === 'waiting' ? await progressOf(library, version, proxyName) : null
  return { state, percent, problem }
}
