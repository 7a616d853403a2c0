import { sql } from 'kysely'
import { type VersionRow, versionIfThere } from '../assets/asset.ts'
import type { Trx } from '../db/database.ts'
import { isOutage } from '../http/answers.ts'
import { jobIsGone } from '../jobs/gone.ts'
import type { Attempt, JobData } from '../jobs/jobs.ts'
import { stillWaiting } from '../ledger/ledger.ts'
import { change, type Library, makeLibrary, type Parts, system } from '../library.ts'
import type { MadeFilm } from '../media/process/film-file.ts'
import { carriedOf, packetOf } from '../media/provenance/kept-marks.ts'
import { Problem } from '../problems.ts'
import type { FilmRecipe } from '../publishing/film-recipe.ts'
import { makeFilmRendition } from '../publishing/film-rendition.ts'
import { type DerivedFile, derivedFile, type Numbered, named, noteProgress, toFile } from './derived.ts'
import { everySecond } from './every-second.ts'
import { isVerdict, notOurFile } from './make-media.ts'
import { sourceOf } from './preview.ts'
import { renditionName, signedName } from './rendition-name.ts'
import { targetRefuses } from './target-refuses.ts'
import { Abandoned, whileWanted } from './while-wanted.ts'

/** It takes minutes, and a job is at it or will be. */
export class FilmInTheMaking extends Problem {
  constructor(how: string) {
    super('media-busy', `${how} Ask again in a while.`, { headers: { 'retry-after': '15' } })
  }
}

/** What a recipe makes of a film. Made by a job alone: whoever asks before it is done is told so. */
export async function filmRendition(
  library: Library,
  version: VersionRow,
  recipe: FilmRecipe,
): Promise<DerivedFile> {
  const file = await signedName(library, renditionName(recipe))
  const row = await rowOf(library, version, file)
  if (row?.made_at) return toFile(row)
  if (row?.problem) throw targetRefuses([row.problem])
  await askFor(library, version, recipe, file)
  const soFar = row?.progress == null ? '' : ` (${row.progress} %)`
  throw new FilmInTheMaking(`The film is being converted${soFar}.`)
}

/** Whether it is there, or how far it is. */
export async function filmProgress(library: Library, version: Numbered, recipe: FilmRecipe) {
  const row = await rowOf(library, version, await signedName(library, renditionName(recipe)))
  return { isReady: Boolean(row?.made_at), percent: row?.made_at ? 100 : (row?.progress ?? null) }
}

/** A problem holds as long as the lease under which it is kept. */
const rowOf = (library: Library, version: Numbered, name: string) =>
  library.db
    .selectFrom('derived_files')
    .selectAll()
    .where(named(library, version, name))
    .where(sql<boolean>`(problem is null or leased_until > now())`)
    .executeTakeFirst()

const askFor = (library: Library, version: VersionRow, recipe: FilmRecipe, file: string) =>
  change(library, async ({ trx }) => {
    const { client_id, asset_id } = version
    await trx
      .insertInto('derived_files')
      .values({
        ...{ client_id, asset_id, version: version.version, name: file, leased_until: sql<Date>`now()` },
        wanted_until: isDelivery(library) ? null : sql<Date>`now() + interval '1 day'`,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['client_id', 'asset_id', 'version', 'name'])
          .doUpdateSet({ wanted_until: sql`coalesce(excluded.wanted_until, derived_files.wanted_until)` })
          .where('derived_files.made_at', 'is', null),
      )
      .execute()
    const lost = await trx
      .selectFrom('derived_files')
      .select('name')
      .where(named(library, version, file))
      .where('made_at', 'is', null)
      .where(jobIsGone(['film'], filmData))
      .executeTakeFirst()
    if (!lost) return
    await refuseCrowd(trx, library)
    await library.jobs.send(trx, 'film', {
      clientId: client_id,
      assetId: asset_id,
      version: version.version,
      name: renditionName(recipe),
      file,
      recipe,
    })
  })

const isDelivery = ({ caller }: Library) => caller.kind === 'system'

/** How many films of a client may wait. A delivery that finds no place is taken up again by the sweep. */
export const mostWaiting = 50

async function refuseCrowd(trx: Trx, { clientId }: Library): Promise<void> {
  const { rows } = await sql`select from jobs.job where name = 'film' and state < 'completed'
    and data ->> 'clientId' = ${clientId} limit ${mostWaiting}`.execute(trx)
  if (rows.length >= mostWaiting)
    throw new FilmInTheMaking(`${mostWaiting} films of this client are being converted before this one.`)
}

/** Where the row of a file holds what the job carries that makes it. */
const filmData = {
  clientId: 'derived_files.client_id',
  assetId: 'derived_files.asset_id',
  version: 'derived_files.version',
  file: 'derived_files.name',
}

/** Makes it. Done twice, it is made once. */
export async function makeFilm(
  parts: Parts,
  { clientId, assetId, version: number, name, file = name, recipe }: JobData['film'],
  { last }: Attempt,
): Promise<void> {
  const library = makeLibrary(parts, clientId, system)
  const version = await versionIfThere(library.db, library, assetId, number)
  const isWanted = () => somebodyWaits(library, assetId, number, { name, file })
  if (!version || !(await isWanted())) return
  try {
    await makeOnce(library, version, file, recipe as FilmRecipe, isWanted)
  } catch (error) {
    if (error instanceof Abandoned && !(await isWanted())) return
    if (isVerdict(error) || isRefused(error))
      return void (await noteProblem(library, version, file, error.message))
    if (last && !isOutage(error)) await noteProblem(library, version, file, notOurFile(error))
    throw error
  }
}

/** Whoever asked for it a while ago, or a delivery that can still be made. */
async function somebodyWaits(
  { db, clientId }: Library,
  assetId: string,
  number: number,
  { name, file }: { name: string; file: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('asset_versions as its')
    .leftJoin('derived_files as file', (join) =>
      join
        .onRef('file.client_id', '=', 'its.client_id')
        .onRef('file.asset_id', '=', 'its.asset_id')
        .onRef('file.version', '=', 'its.version')
        .on('file.name', '=', file),
    )
    .select('its.version')
    .where('its.client_id', '=', clientId)
    .where('its.asset_id', '=', assetId)
    .where('its.version', '=', number)
    .where((eb) =>
      eb.or([
        eb('file.wanted_until', '>', sql<Date>`now()`),
        eb.exists(stillWaiting(db, clientId, assetId, name)),
      ]),
    )
    .executeTakeFirst()
  return row !== undefined
}

const isRefused = (error: unknown): error is Problem =>
  error instanceof Problem && error.code === 'target-refuses'

async function makeOnce(
  library: Library,
  version: VersionRow,
  name: string,
  recipe: FilmRecipe,
  isWanted: () => Promise<boolean>,
): Promise<void> {
  using wanted = whileWanted(isWanted)
  const { signal } = wanted
  let film: MadeFilm | undefined
  try {
    await derivedFile(library, version, name, async () => {
      const progress = everySecond((percent) => noteProgress(library, version, name, percent))
      const source = sourceOf(library, version)
      const kept = { packet: packetOf(version.evidence), carried: carriedOf(version.evidence) }
      const made = await makeFilmRendition(library.media, source, recipe, { progress, signal, ...kept })
      if (!made) throw targetRefuses([noEncoder])
      if ('refused' in made) throw targetRefuses([made.refused])
      film = made
      return { bytes: film, mimeType: 'video/mp4', width: film.width, height: film.height }
    })
  } finally {
    await film?.[Symbol.asyncDispose]()
  }
}

export const noEncoder =
  'The film would have to be converted, and this server has no encoder. Install one, or upload the film as MP4 with H.264 and AAC.'

const problemMinutes = 10

const noteProblem = (library: Library, version: VersionRow, name: string, problem: string) =>
  library.db
    .insertInto('derived_files')
    .values({
      client_id: library.clientId,
      asset_id: version.asset_id,
      version: version.version,
      name,
      problem,
      leased_until: sql<Date>`now() + make_interval(mins => ${problemMinutes})`,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['client_id', 'asset_id', 'version', 'name'])
        .doUpdateSet((eb) => ({
          problem: eb.ref('excluded.problem'),
          leased_until: eb.ref('excluded.leased_until'),
        }))
        .where('derived_files.made_at', 'is', null),
    )
    .execute()
