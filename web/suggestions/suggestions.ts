import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Asset } from '../../contract/assets.ts'
import type { ProblemCode } from '../../contract/problems.ts'
import type {
  DecidedSuggestion,
  NewSuggestionRun,
  Suggestion,
  SuggestionDecision,
  SuggestionPage,
  SuggestionResults,
  SuggestionRun,
  SuggestionSettings,
  SuggestionSettingsChange,
} from '../../contract/suggestions.ts'
import { api, isProblem, Problem, query, send } from '../api.ts'
import { showAsset } from '../library/cache.ts'
import { type Library, useLibrary } from '../library/library.tsx'
import { useUndo } from '../library/undo.ts'
import { useSuggestionWords } from './words.ts'

const everyMs = 500
const keyOf = (library: Library, assetId: string) => ['suggestions', library.root, assetId]

/** Where no model is set, which is most everywhere, that is all that is asked. */
export const offered = (library: Library) =>
  queryOptions({
    queryKey: keyOf(library, 'any'),
    queryFn: ({ signal }) => api.get<SuggestionPage>(`${library.root}/suggestions?limit=1`, { signal }),
    enabled: library.can('reviews:write'),
    staleTime: 60_000,
  })

/** What a model would write of it; undefined for whom that is nothing to. */
export function useSuggestions(asset: Asset) {
  const library = useLibrary()
  const { data: any } = useQuery(offered(library))
  return useQuery({
    // Whatever changes of the asset may change what is said beside a suggestion.
    queryKey: [...keyOf(library, asset.assetId), asset.version, asset.updatedAt],
    queryFn: ({ signal }) => readSuggestions(library, [asset.assetId], signal),
    enabled: any !== undefined && isOffered(any) && !asset.trashedAt,
    placeholderData: (before) => before,
  }).data
}

/** What was asked before a decision may be answered after it: it is asked anew. */
async function rereadOf(client: QueryClient, library: Library, assetId: string) {
  const queryKey = keyOf(library, assetId)
  await client.cancelQueries({ queryKey })
  await client.invalidateQueries({ queryKey })
}

export const isOffered = ({ model, suggestions }: SuggestionPage) => model !== null || suggestions.length > 0

export const readSuggestions = (library: Library, assetId: string[], signal?: AbortSignal) =>
  api.get<SuggestionPage>(
    `${library.root}/suggestions${query({ assetId, limit: 200 })}`,
    signal ? { signal } : {},
  )

export function useAsk({ assetId }: Asset) {
  const library = useLibrary()
  const client = useQueryClient()
  return useMutation({
    async mutationFn() {
      const begun = await api.post<SuggestionRun>(`${library.base}/${assetId}/suggestions`)
      const run = await followRun(library, begun)
      if (run.problem && run.made === 0) throw problemOf(run.problem)
      return run
    },
    onSettled: () => rereadOf(client, library, assetId),
  })
}

export const startRun = (library: Library, wanted: NewSuggestionRun) =>
  api.post<SuggestionRun>(`${library.root}/suggestions/runs`, wanted)

/** Until it has ended, or the person has had enough. */
export async function followRun(
  library: Library,
  begun: SuggestionRun,
  { step, signal }: { step?: (run: SuggestionRun) => void; signal?: AbortSignal } = {},
): Promise<SuggestionRun> {
  const path = `${library.root}/suggestions/runs/${begun.runId}`
  let run = begun
  while (run.state === 'running') {
    if (signal?.aborted) return api.post<SuggestionRun>(`${path}/cancel`)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
    // It goes on while there is no connection.
    run = await api.get<SuggestionRun>(path).catch((error) => {
      if (isProblem(error, 'unreachable')) return run
      throw error
    })
    step?.(run)
  }
  return run
}

export const problemOf = ({ code, detail }: { code: string; detail: string }) =>
  new Problem({ status: 409, code: code as ProblemCode, detail })

export const decideAll = (
  library: Library,
  decisions: { suggestionId: string; decision: SuggestionDecision }[],
) => api.post<SuggestionResults>(`${library.root}/suggestions/decide`, { decisions })

/** What the model has said of it anew since, or of a new file, is what can be decided on. */
export const reopen = (library: Library, ids: string[]) =>
  decideAll(
    library,
    ids.map((suggestionId) => ({ suggestionId, decision: 'reopen' as const })),
  )

/** Accepts or declines one. Taken back, it can be decided on again, and an accepted text goes like any other edit. */
export function useDecide(asset: Asset) {
  const t = useSuggestionWords()
  const library = useLibrary()
  const client = useQueryClient()
  const undo = useUndo()

  async function decide(suggestion: Suggestion, decision: 'accept' | 'decline', text?: string) {
    const { suggestionId, field } = suggestion
    const path = `${library.root}/suggestions/${suggestionId}/${decision}`
    const body = decision === 'accept' ? { text, ifMatch: await seen(library, suggestion) } : undefined
    const before = asset[field]
    const decided = await api.post<DecidedSuggestion>(path, body)
    showAsset(client, library, decided.asset)
    const { assetId } = asset
    undo.offer(t.decided[decision](t.fields[field]), async () => {
      if (decision === 'accept') {
        const back = await send<Asset>('PATCH', `${library.base}/${assetId}`, { body: { [field]: before } })
        showAsset(client, library, back.body, back.etag)
      }
      await reopen(library, [suggestionId])
      await rereadOf(client, library, assetId)
    })
  }
  return useMutation({
    mutationFn: (given: { suggestion: Suggestion; decision: 'accept' | 'decline'; text?: string }) =>
      decide(given.suggestion, given.decision, given.text),
    onSettled: () => rereadOf(client, library, asset.assetId),
  })
}

/** Whoever was shown what stands there now may replace it, and nothing else. */
async function seen(library: Library, { assetId, field, current, changedSince }: Suggestion) {
  if (!changedSince) return undefined
  const { body, etag } = await send<Asset>('GET', `${library.base}/${assetId}`)
  if (String(body[field]) !== current) throw problemOf({ code: 'changed-meanwhile', detail: '' })
  return etag
}

const settingsKey = (clientId: string) => ['suggestion-settings', clientId]
const settingsPath = (clientId: string) => `/admin/clients/${clientId}/suggestion-settings`

export const useSuggestionSettings = (clientId: string) =>
  useQuery({
    queryKey: settingsKey(clientId),
    queryFn: ({ signal }) => api.get<SuggestionSettings>(settingsPath(clientId), { signal }),
  }).data

export function useSaveSuggestionSettings(clientId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (body: SuggestionSettingsChange) =>
      (await send<SuggestionSettings>('PUT', settingsPath(clientId), { body })).body,
    scope: { id: `suggestion settings ${clientId}` },
    onSuccess: (saved) => client.setQueryData(settingsKey(clientId), saved),
  })
}
