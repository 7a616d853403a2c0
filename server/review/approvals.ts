import type {
  Decided,
  Decision,
  DecisionResults,
  Decisions,
  ReviewAsked,
  ReviewRequest,
} from '../../contract/review.ts'
import { areThese, guestName, toApproval, versionWithApprover, writeApproval } from '../assets/approval.ts'
import { type AssetRow, toAsset, type VersionRow } from '../assets/asset.ts'
import { type AssetColumns, heldRows, writeRows } from '../assets/assets.ts'
import { tidyText } from '../assets/wording.ts'
import { isId } from '../ids.ts'
import { type Change, change, changeOnce, type Library } from '../library.ts'
import { notFound, Problem } from '../problems.ts'

/**
 * Says yes or no to one version, and to no other: whoever looked at a file that was replaced meanwhile has not
 * decided on the new one.
 */
export const decide = (
  library: Library,
  assetId: string,
  { version, seen, ...input }: Decision,
): Promise<Decided> =>
  change(library, async (its) => {
    const [said] = await decideOn(its, library, [{ assetId, version, seen }], input)
    if (said!.problem) throw said!.problem
    return answer(its, library, said!.asset, version)
  })

/** The same of many at once, each by itself. */
export const decideEach = (library: Library, { assets, ...input }: Decisions): Promise<DecisionResults> =>
  changeOnce(library, async (its) => {
    const each = await decideOn(
      its,
      library,
      [...new Map(assets.map((one) => [one.assetId, one])).values()],
      input,
    )
    return {
      results: each.map(({ assetId, asset, problem }) =>
        problem
          ? { assetId, ok: false, problem: { code: problem.code, detail: problem.message } }
          : { assetId, ok: true, asset: toAsset(asset) },
      ),
    }
  })

type LookedAt = Decisions['assets'][number]
type Said = { assetId: string } & ({ problem: Problem; asset?: never } | { problem?: never; asset: AssetRow })

async function decideOn(
  its: Change,
  library: Library,
  lookedAt: LookedAt[],
  { decision, note }: Pick<Decision, 'decision' | 'note'>,
): Promise<Said[]> {
  const words = tidy(note)
  const ids = lookedAt.map(({ assetId }) => assetId)
  const assets = new Map((await heldRows(its, library, ids)).map((row) => [row.id, row]))
  const versions = await versionsOf(its, library, lookedAt)
  const isSaid = (before: VersionRow) =>
    before.approval === decision &&
    before.approval_by === library.caller.id &&
    before.approval_guest === guestName(library) &&
    before.approval_note === words

  const open: { asset: AssetRow; version: number }[] = []
  const each = lookedAt.map(({ assetId, version, seen }): Said => {
    const asset = assets.get(assetId)
    const before = versions.get(assetId)
    if (!asset || asset.trashed_at) return { assetId, problem: notFound('No asset outside the trash') }
    if (!before) return { assetId, problem: notFound('No such version') }
    if (isSaid(before)) return { assetId, asset }
    if (seen && seen !== before.approval) return { assetId, problem: decidedMeanwhile() }
    open.push({ asset, version })
    return { assetId, asset }
  })
  const after = new Map((await write(its, library, open, decision, words)).map((row) => [row.id, row]))
  return each.map((said) => (said.asset ? { ...said, asset: after.get(said.assetId) ?? said.asset } : said))
}

/** An asset stands as its current version does. */
async function write(
  its: Change,
  library: Library,
  open: { asset: AssetRow; version: number }[],
  decision: Decision['decision'],
  note: string,
): Promise<AssetRow[]> {
  await writeApproval(
    its,
    library,
    open.map(({ asset: { id }, version }) => ({ id, version })),
    decision,
    note,
  )
  const type = decision === 'pending' ? 'review.withdrawn' : (`review.${decision}` as const)
  const { current = [], older = [] } = Object.groupBy(open, ({ asset, version }) =>
    asset.version === version ? 'current' : 'older',
  )
  const versionOf = new Map(open.map(({ asset, version }) => [asset.id, version]))
  const tell = (some: typeof open, columns: AssetColumns) =>
    writeRows(
      its,
      library,
      some.map(({ asset }) => asset.id),
      columns,
      ({ id }) => ({
        type,
        version: versionOf.get(id)!,
        note,
      }),
    )
  return [...(await tell(current, { approval: decision })), ...(await tell(older, {}))]
}

/** Asks people what they say of the current versions. All of the assets have to be there, or nobody is asked. */
export const requestReview = (library: Library, { assetIds, note }: ReviewRequest): Promise<ReviewAsked> =>
  changeOnce(library, async (its) => {
    const rows = (await heldRows(its, library, assetIds)).filter(({ trashed_at }) => !trashed_at)
    if (rows.length < assetIds.length || !assetIds.every((id) => isId('asset', id)))
      throw notFound('No asset')
    const open = rows.filter(({ approval }) => approval !== 'approved' && approval !== 'pending')
    const asked = open.map(({ id }) => id)
    const words = tidy(note)
    await writeApproval(its, library, open, 'pending', words)
    await writeRows(its, library, asked, { approval: 'pending' }, ({ version }) => ({
      type: 'review.requested',
      version,
      note: words,
    }))
    return { assetIds: asked }
  })

/** By their assets. */
async function versionsOf(
  its: Change,
  { clientId }: Library,
  lookedAt: LookedAt[],
): Promise<Map<string, VersionRow>> {
  const rows = await its.trx
    .selectFrom('asset_versions')
    .selectAll()
    .where('client_id', '=', clientId)
    .where(areThese(lookedAt.map(({ assetId, version }) => ({ id: assetId, version }))))
    .execute()
  return new Map(rows.map((row) => [row.asset_id, row]))
}

const decidedMeanwhile = () =>
  new Problem('changed-meanwhile', 'Somebody else has decided meanwhile. Look at what they say first.')

const tidy = (note = '') => tidyText(note).trim()

async function answer(its: Change, library: Library, row: AssetRow, version: number): Promise<Decided> {
  const decided = await versionWithApprover(its.trx, library, row.id, version)
  return { version, approval: toApproval(decided), asset: toAsset(row) }
}
