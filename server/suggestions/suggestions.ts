import { type Selectable, sql } from 'kysely'
import { isAgent } from '../../contract/access.ts'
import { type Asset, mostTags } from '../../contract/assets.ts'
import type {
  AcceptSuggestion,
  DecidedSuggestion,
  Suggestion,
  SuggestionDecisions,
  SuggestionPage,
  SuggestionQuery,
  SuggestionResults,
  SuggestionStatus,
} from '../../contract/suggestions.ts'
import { type AssetRow, assetETag, toAsset } from '../assets/asset.ts'
import { editRows, heldRow } from '../assets/assets.ts'
import { tidyTags, tidyTitle } from '../assets/wording.ts'
import { refuseStale } from '../changes/revisions.ts'
import { newestFirst } from '../cursors.ts'
import type { Reader } from '../db/database.ts'
import type { SuggestionsTable } from '../db/schema.ts'
import { knownId } from '../ids.ts'
import { type Change, changeOnce, type Library, type Parts } from '../library.ts'
import { notFound, Problem } from '../problems.ts'
import { isFit, tagsIn, wordsOf } from './answer.ts'
import { consentOf } from './consent.ts'

type SuggestionRow = Selectable<SuggestionsTable>
type Shown = SuggestionRow & { title: string; alt_text: string; tags: string[] }

/** What models would write, the newest first. */
export async function listSuggestions(
  parts: Parts,
  library: Library,
  query: SuggestionQuery,
): Promise<SuggestionPage> {
  const { status = 'open', assetId } = query
  const { page, nextCursor } = await newestFirst(
    shown(library.db, library)
      .where('status', '=', status)
      .$if(assetId !== undefined, (some) =>
        some.where(sql<boolean>`asset_id = any(${[assetId].flat()}::text[])`),
      ),
    query,
  )
  const consent = await consentOf(parts, library)
  return { model: consent?.model ?? null, suggestions: page.map(toSuggestion), nextCursor }
}

/** Open ones are those of the file that counts now: what a model saw in an older one is no word on this. */
const shown = (db: Reader, { clientId }: Library) =>
  db
    .selectFrom(
      sql<Shown>`(select s.*, a.title, a.alt_text, a.tags from suggestions s
        join assets a on a.client_id = s.client_id and a.id = s.asset_id and a.trashed_at is null
        where s.client_id = ${clientId} and (s.status <> 'open' or s.version = a.version))`.as('suggestions'),
    )
    .selectAll()

/** Accepting is an edit like any other, by whoever accepts; the trail says who suggested it. */
export const acceptSuggestion = (
  library: Library,
  suggestionId: string,
  input: AcceptSuggestion,
): Promise<DecidedSuggestion> => changeOnce(library, (its) => accept(its, library, suggestionId, input))

export const declineSuggestion = (library: Library, suggestionId: string): Promise<DecidedSuggestion> =>
  changeOnce(library, (its) => decline(its, library, suggestionId))

/** Each by itself, in one transaction: what cannot be done to one is said of it. */
export const decideSuggestions = (
  library: Library,
  { decisions }: SuggestionDecisions,
): Promise<SuggestionResults> =>
  changeOnce(library, async (its) => {
    const results: SuggestionResults['results'] = []
    for (const { suggestionId, decision, ...input } of decisions)
      try {
        const decided = await deciding[decision](its, library, suggestionId, input)
        results.push({ suggestionId, ok: true, ...decided })
      } catch (error) {
        if (!(error instanceof Problem) || error.status >= 500) throw error
        results.push({ suggestionId, ok: false, problem: { code: error.code, detail: error.message } })
      }
    return { results }
  })

const deciding = { accept, decline, reopen }

async function accept(its: Change, library: Library, suggestionId: string, input: AcceptSuggestion) {
  const { suggestion, asset } = await undecided(its, library, suggestionId)
  const { field, words } = suggestion
  const text = (input.text ?? words).normalize('NFC').trim()
  if (text === '' || !isFit(field, text)) throw unfit(field)
  refuseStale(assetETag(asset), input.ifMatch)
  if (input.ifMatch === undefined && hasChanged(suggestion, asset)) throw writtenSince()
  const [row] = await editRows(its, library, [asset.id], changeBy(field, text, asset))
  const status = text === words ? 'accepted' : 'edited'
  return decided(its, library, suggestion, row!, status)
}

async function decline(its: Change, library: Library, suggestionId: string) {
  const { suggestion, asset } = await undecided(its, library, suggestionId)
  return decided(its, library, suggestion, asset, 'declined')
}

/** Of each field one is open at most: where the model was asked again, that one counts. */
async function reopen(its: Change, library: Library, suggestionId: string) {
  const { suggestion, asset } = await held(its, library, suggestionId)
  const newer = await its.trx
    .selectFrom('suggestions')
    .select('id')
    .where('client_id', '=', library.clientId)
    .where('asset_id', '=', asset.id)
    .where('field', '=', suggestion.field)
    .where('status', '=', 'open')
    .executeTakeFirst()
  if (newer) throw openAlready()
  return decided(its, library, suggestion, asset, 'open')
}

async function undecided(its: Change, library: Library, suggestionId: string) {
  const found = await held(its, library, suggestionId)
  if (found.suggestion.status !== 'open') throw decidedSince()
  return found
}

/** The asset before the suggestion, as everybody locks them. */
async function held(its: Change, library: Library, suggestionId: string) {
  if (isAgent(library.caller)) throw forPeople()
  const found = async (locked: boolean) => {
    const row = await its.trx
      .selectFrom('suggestions')
      .selectAll()
      .where('client_id', '=', library.clientId)
      .where('id', '=', knownId('suggestion', suggestionId))
      .$if(locked, (query) => query.forUpdate())
      .executeTakeFirst()
    if (!row) throw notFound('No suggestion')
    return row
  }
  const asset = await heldRow(its, library, (await found(false)).asset_id)
  const suggestion = await found(true)
  if (asset.trashed_at || asset.version !== suggestion.version) throw notFound('No suggestion')
  return { suggestion, asset }
}

function changeBy(field: SuggestionRow['field'], text: string, asset: AssetRow) {
  if (field === 'title') return { title: tidyTitle(text) }
  if (field === 'altText') return { altText: text }
  const tags = tidyTags([...asset.tags, ...tagsIn(text)])
  if (tags.length > mostTags) throw tooManyTags()
  return { tags }
}

const actions = {
  open: 'suggestion.reopened',
  accepted: 'suggestion.accepted',
  edited: 'suggestion.accepted',
  declined: 'suggestion.declined',
} as const

async function decided(
  its: Change,
  { clientId, caller }: Library,
  { id, field, model }: SuggestionRow,
  asset: AssetRow,
  status: SuggestionStatus,
): Promise<{ suggestion: Suggestion; asset: Asset }> {
  const by = status === 'open' ? null : caller.id
  const row = await its.trx
    .updateTable('suggestions')
    .set({ status, decided_by: by, decided_at: by && new Date() })
    .where('client_id', '=', clientId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  its.note({
    action: actions[status],
    thing: asset.id,
    name: asset.title,
    details: { suggestionId: id, field, model, ...(status === 'edited' && { edited: true }) },
  })
  return { suggestion: toSuggestion({ ...asset, ...row }), asset: toAsset(asset) }
}

/** Tags are added to those that are there, so there is nothing to be overwritten. */
const hasChanged = (
  { field, instead_of }: SuggestionRow,
  now: { title: string; alt_text: string; tags: string[] },
) => field !== 'tags' && wordsOf(now)[field] !== instead_of

const toSuggestion = (row: Shown): Suggestion => ({
  suggestionId: row.id,
  assetId: row.asset_id,
  version: row.version,
  field: row.field,
  text: row.words,
  current: wordsOf(row)[row.field],
  changedSince: row.status === 'open' && hasChanged(row, row),
  model: row.model,
  createdAt: row.created_at.toISOString(),
  status: row.status,
  decidedBy: row.decided_by,
  decidedAt: row.decided_at?.toISOString() ?? null,
})

const forPeople = () =>
  new Problem('forbidden', 'What a model suggests is decided on by people. Ask one of them.')
const decidedSince = () =>
  new Problem('changed-meanwhile', 'Somebody has decided on this already. Look at the asset as it is now.')
const openAlready = () =>
  new Problem('changed-meanwhile', 'There is a suggestion for this field that nobody has decided on.')
const writtenSince = () =>
  new Problem(
    'changed-meanwhile',
    'Somebody has written there since the model was asked. Look at what it says now, and accept with ifMatch to replace it.',
  )
const unfit = (field: string) =>
  new Problem(
    'invalid-request',
    `The text does not fit ${field}: it is empty, too long, or has nothing to see.`,
    {
      extra: { errors: [{ path: '/text', message: `does not fit ${field}` }] },
    },
  )
const tooManyTags = () =>
  new Problem('invalid-request', `An asset has ${mostTags} tags at most. Remove some first.`)
