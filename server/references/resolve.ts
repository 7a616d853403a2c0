import { sql } from 'kysely'
import type { FitReason } from '../../contract/fit-reasons.ts'
import type { RefusalCode } from '../../contract/references.ts'
import type { Surface } from '../../contract/words.ts'
import { approvedOnlySurfaces } from '../assets/approval.ts'
import { type AssetRow, assetColumns, type VersionRow } from '../assets/asset.ts'
import { ledRefs } from '../assets/merged.ts'
import { parseRef, pinnedRef } from '../assets/ref.ts'
import type { Reader } from '../db/database.ts'
import type { FileAnswer } from '../http/file-answers.ts'
import { whereDelivered } from '../ledger/delivered.ts'
import type { Library } from '../library.ts'
import { filmProgress } from '../previews/film-renditions.ts'
import { fitOf } from '../previews/fits.ts'
import { outgoingFile, type Sending } from '../previews/outgoing.ts'
import { Problem } from '../problems.ts'
import { type FilmRecipe, isFilmRecipe } from '../publishing/film-recipe.ts'
import { longAltText, type Wanted } from '../publishing/fit.ts'
import { cutFor, type Recipe, sizeFor } from '../publishing/recipe.ts'
import type { Target } from '../publishing/target.ts'
import { anyOf, targetById, targets } from '../publishing/targets.ts'
import { liveUses } from '../uses/use.ts'
import { type Found, type Refusal, refNotFound, refusal, refusedOn } from './permitted.ts'

export type { Found, Refusal } from './permitted.ts'

export interface Resolved {
  ok: true
  /** Pinned: `asset_…@N`. */
  assetRef: string
  asset: AssetRow
  version: VersionRow
  /** The target named, or the one that stands for its surface. */
  target: Target
  /** What leaves, and why it is converted. */
  sending: Sending
}

export interface Purpose extends Wanted {
  surface: Surface
  target?: string | undefined
  /** What was promised before: so it is sent, however the picture is cropped since. */
  promised?: Recipe | FilmRecipe | null | undefined
}

/** What a ref stands for on a surface, and what would be sent to the target; or why nothing may be. */
export async function resolveRef(
  library: Library,
  assetRef: string,
  purpose: Purpose,
): Promise<Resolved | Refusal> {
  const [result] = await resolveRefs(library, [assetRef], purpose)
  return result!
}

/** The same for many, in their order. One bad ref never fails the others. */
export async function resolveRefs(
  library: Library,
  assetRefs: string[],
  { surface, target: targetId, promised, ...wanted }: Purpose,
): Promise<(Resolved | Refusal)[]> {
  const target = targetFor(surface, targetId)
  const found = await findRefs(library.db, library, assetRefs)
  return Promise.all(
    assetRefs.map(async (assetRef) => {
      const its = found.get(assetRef)
      if (!its) return refNotFound(assetRef)
      const { asset, version } = its
      const refused = refusedOn(surface, its)
      if (refused?.code === 'rights-expired') return { ...refused, ...(await whereLive(library, asset.id)) }
      if (refused) return refused
      return promised
        ? asPromised(asset, version, target, promised)
        : fitted(library, asset, version, target, wanted)
    }),
  )
}

/** The file that would be sent, made now if it was not made before. */
export const renditionOf = (
  library: Library,
  { asset, version, sending }: Pick<Resolved, 'asset' | 'version' | 'sending'>,
): Promise<FileAnswer> => outgoingFile(library, asset, version, sending)

/** Where an asset is to be seen, or soon will be: for whoever has to take it away. */
const whereLive = async (library: Library, assetId: string) => ({
  uses: await liveUses(library.db, library, assetId),
  deliveries: await whereDelivered(library, assetId),
})

/**
 * The assets and versions behind refs, by ref: those of this client that are there, in the trash or not. Locked in
 * one order if asked, so that they stay as they are until the transaction ends.
 */
export async function findRefs(
  db: Reader,
  library: Library,
  assetRefs: string[],
  lock?: Lock,
): Promise<Map<string, Found>> {
  const refs = assetRefs.flatMap((assetRef) => {
    const ref = parseRef(assetRef)
    return ref ? [{ assetRef, ...ref }] : []
  })
  if (refs.length === 0) return new Map()
  const ids = refs.map(({ assetId }) => assetId)
  const assets = await assetsById(db, library, ids, lock)
  const byId = new Map(assets.map((asset) => [asset.id, asset]))
  const gone = refs
    .filter(({ assetId }) => byId.get(assetId)?.trashed_at !== null)
    .map(({ assetRef }) => assetRef)
  const kept = gone.length > 0 ? await keptFor(db, library, gone, lock) : new Map<string, Kept>()
  const meant = refs.flatMap(({ assetRef, assetId, version }) => {
    const instead = kept.get(assetRef)
    if (instead) return [{ assetRef, ...instead }]
    const asset = byId.get(assetId)
    return asset ? [{ assetRef, asset, number: version ?? asset.version }] : []
  })
  const versions = await db
    .selectFrom('asset_versions')
    .selectAll()
    .where('client_id', '=', library.clientId)
    .where(
      sql<boolean>`(asset_id, version) in (select * from unnest(
        ${meant.map(({ asset }) => asset.id)}::text[], ${meant.map(({ number }) => number)}::integer[]))`,
    )
    .execute()
  const approvedOnly = await approvedOnlySurfaces(db, library)
  const byPin = new Map(versions.map((version) => [pinnedRef(version.asset_id, version.version), version]))
  return new Map(
    meant.flatMap(({ assetRef, asset, number }) => {
      const version = byPin.get(pinnedRef(asset.id, number))
      return version ? [[assetRef, { asset, version, approvedOnly }] as const] : []
    }),
  )
}

interface Kept {
  asset: AssetRow
  /** Of the version. */
  number: number
}

/** What refs mean whose assets are in the trash or gone, but were merged into others. */
async function keptFor(
  db: Reader,
  library: Library,
  assetRefs: string[],
  lock: Lock | undefined,
): Promise<Map<string, Kept>> {
  const led = [...(await ledRefs(db, library, assetRefs))]
  if (led.length === 0) return new Map()
  const ids = led.map(([, { assetId }]) => assetId)
  const byId = new Map((await assetsById(db, library, ids, lock)).map((row) => [row.id, row]))
  return new Map(
    led.flatMap(([assetRef, { assetId, version }]) => {
      const asset = byId.get(assetId)
      return asset ? [[assetRef, { asset, number: version ?? asset.version }] as const] : []
    }),
  )
}

type Lock = 'share' | 'update'

const assetsById = (db: Reader, { clientId }: Library, ids: string[], lock: Lock | undefined) =>
  db
    .selectFrom('assets')
    .select(assetColumns)
    .where('client_id', '=', clientId)
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .orderBy('id')
    .$if(lock === 'share', (query) => query.forShare())
    .$if(lock === 'update', (query) => query.forUpdate())
    .execute()

export function targetFor(surface: Surface, targetId: string | undefined): Target {
  if (targetId === undefined) return anyOf[surface]
  const target = targetById(targetId)
  if (target?.surface === surface) return target
  const known = targets.filter((each) => each.surface === surface).map(({ id }) => id)
  throw new Problem(
    'invalid-request',
    `${JSON.stringify(targetId)} is no target on ${surface}. Name one of ${known.join(', ')}, or none.`,
    { extra: { errors: [{ path: '/target', message: `must be one of ${known.join(', ')}` }] } },
  )
}

const asPromised = (
  asset: AssetRow,
  version: VersionRow,
  target: Target,
  recipe: Recipe | FilmRecipe,
): Resolved | Refusal => {
  // The words are those of now, however long they were when it was promised.
  const tooLong = isFilmRecipe(recipe) ? undefined : longAltText(asset.alt_text, target)
  if (tooLong) return targetRefusal([tooLong])
  return {
    ok: true,
    assetRef: pinnedRef(asset.id, version.version),
    asset,
    version,
    target,
    sending: { fits: 'convert', recipe, size: sizeBy(version, recipe), reasons: [], why: [] },
  }
}

const sizeBy = ({ width, height }: VersionRow, recipe: Recipe | FilmRecipe) =>
  isFilmRecipe(recipe)
    ? { width: recipe.width, height: recipe.height }
    : sizeFor(cutFor({ width: width!, height: height! }, recipe), recipe)

async function fitted(
  library: Library,
  asset: AssetRow,
  version: VersionRow,
  target: Target,
  wanted: Wanted,
): Promise<Resolved | Refusal> {
  const fit = await fitOf(library, asset, version, target, wanted)
  if (fit.fits === 'refused') return targetRefusal(fit.why)
  return {
    ok: true,
    assetRef: pinnedRef(asset.id, version.version),
    asset,
    version,
    target,
    sending: fit,
  }
}

export const targetRefusal = (why: FitReason[]): Refusal => {
  const code = ownCodes.find((one) => why.some((reason) => reason.code === one)) ?? 'target-refuses'
  return { ...refusal(code, why.map(({ detail }) => detail).join(' '), fixes[code]), why }
}

const ownCodes = ['no-encoder', 'range-needed'] as const satisfies RefusalCode[]
const fixes = {
  'target-refuses':
    'Choose another asset or another target, or have the file replaced by one within these limits.',
  'range-needed':
    'Say which part of the film is sent: `range: {startSeconds, endSeconds}`, no longer than the target takes.',
  'no-encoder':
    'Have an encoder installed on the server, or the film replaced by one that the target takes as it is.',
}

/** What would be sent, without making it. */
export async function sentAs(library: Library, { version, sending }: Pick<Resolved, 'version' | 'sending'>) {
  if (sending.fits === 'as-is')
    return {
      as: 'original' as const,
      mimeType: version.mime_type,
      width: version.width ?? 0,
      height: version.height ?? 0,
    }
  const { recipe, size } = sending
  const made = { as: 'rendition' as const, mimeType: typeOf(recipe), ...size }
  if (!isFilmRecipe(recipe)) return made
  const { isReady } = await filmProgress(library, version, recipe)
  return { ...made, durationSeconds: recipe.durationSeconds, isReady }
}

const typeOf = (recipe: Recipe | FilmRecipe) =>
  isFilmRecipe(recipe) ? 'video/mp4' : `image/${recipe.format}`
