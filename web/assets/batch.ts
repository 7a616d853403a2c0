import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import {
  type Asset,
  type AssetSummary,
  type Batch,
  type BatchResult,
  mostIds,
} from '../../contract/assets.ts'
import type { BatchJob } from '../../contract/batches.ts'
import type { Surface } from '../../contract/words.ts'
import { api, Problem } from '../api.ts'
import { rereadLists, showAssets } from '../library/cache.ts'
import { type Library, useLibrary } from '../library/library.tsx'
import { withProgress } from '../library/progress.ts'
import { meantBy } from '../library/selection.ts'
import { toast } from '../ui/toast.tsx'
import { useProblemText } from '../words/problem-text.ts'
import { assetInLists } from './assets.ts'
import { runJob, undoJob } from './batch-jobs.ts'

const largestBatch = 500

/** What is said of those that a batch did not change. */
export const refusedInBatch = 'refused in batch'

export type BatchChange = Omit<Batch, 'assetIds'>

/** An asset that a batch has changed, and what it was before. */
export interface Changed {
  asset: Asset
  before: Pick<Asset, 'folderId' | 'tags' | 'allowedSurfaces' | 'rightsExpireAt' | 'provenance'>
}

/** What a batch came to: all that was changed, also when it was stopped or failed on its way. */
export interface Outcome {
  changed: Changed[]
  /** How many, where the server did it to all that was meant; and how that is taken back. */
  job?: { count: number; undo(): Promise<Outcome> }
  /** How many were refused. */
  refused?: number
  error?: unknown
}

export const countOf = ({ changed, job }: Outcome) => job?.count ?? changed.length

/** Does one thing to many assets; what was refused is said once, what worked shows at once. */
export function useBatch() {
  const library = useLibrary()
  const client = useQueryClient()
  const t = useTranslations('batch')
  const progress = useTranslations('progress')
  const inWords = useProblemText()

  return async (assetIds: string[], change: BatchChange): Promise<Outcome> => {
    const meant = meantBy(assetIds)
    if (meant) return asJob(await runJob(library, progress(change.action), { ...meant, ...change }))
    if (assetIds.length <= largestBatch) return problemText(await run(assetIds, change, () => {}))
    return withProgress(progress(change.action), assetIds.length, async (step, signal) =>
      problemText(await run(assetIds, change, step, signal)),
    )
  }

  /** One by one they are told of as events; the list as a whole is read again in the end. */
  function asJob(job: BatchJob): Outcome {
    rereadLists(client, library)
    const { done, refused, total, refusals } = job
    const count = done - refused
    if (refused > 0) {
      const problem = new Problem({ status: 409, ...refusals[0] } as Problem)
      if (count === 0) throw problem
      saysRefused(refused, total, refusals[0]!.assetId, problem)
    }
    const undo = async () => asJob(await undoJob(library, progress('undo'), job))
    return { changed: [], job: { count, undo }, refused }
  }

  function saysRefused(failed: number, count: number, assetId: string, problem: Problem) {
    const title = assetInLists(client, library, assetId)?.title
    const about = { failed, count, detail: inWords(problem) }
    toast({
      about: refusedInBatch,
      text: title ? t('partlyNamed', { ...about, title }) : t('partly', about),
      bad: true,
    })
  }

  async function run(
    assetIds: string[],
    change: BatchChange,
    step: (done: number) => void,
    signal?: AbortSignal,
  ) {
    const results: BatchResult['results'] = []
    let error: unknown
    for (let at = 0; at < assetIds.length && !signal?.aborted && !error; at += largestBatch) {
      const some = assetIds.slice(at, at + largestBatch)
      try {
        const answer = await api.post<BatchResult>(`${library.base}/batch`, { assetIds: some, ...change })
        results.push(...answer.results)
        showAssets(
          client,
          library,
          answer.results.flatMap(({ asset }) => asset ?? []),
        )
        step(at + some.length)
      } catch (failure) {
        if (results.length === 0) throw failure
        error = failure
      }
    }
    return { results, error }
  }

  function problemText({ results, error }: { results: BatchResult['results']; error?: unknown }): Outcome {
    const changed = results.flatMap(({ asset, before }) => (asset && before ? { asset, before } : []))
    const refused = results.find(({ ok }) => !ok)
    if (refused) {
      const problem = new Problem({ status: 409, ...refused.problem } as Problem)
      if (changed.length === 0) throw problem
      saysRefused(results.length - changed.length, results.length, refused.assetId, problem)
    }
    return { changed, refused: results.length - changed.length, error }
  }
}

/** What these assets have in common. */
export function useSummary(assetIds: string[]) {
  const library = useLibrary()
  return useQuery({
    queryKey: [library.base, 'summary', assetIds],
    queryFn: ({ signal }) => readSummary(library, assetIds, signal),
    staleTime: 0,
    gcTime: 0,
  })
}

async function readSummary(library: Library, assetIds: string[], signal: AbortSignal): Promise<AssetSummary> {
  const meant = meantBy(assetIds)
  if (meant) return api.post<AssetSummary>(`${library.base}/summary`, meant, { signal })
  const parts: AssetSummary[] = []
  for (let at = 0; at < assetIds.length; at += mostIds) {
    const some = assetIds.slice(at, at + mostIds)
    parts.push(await api.post<AssetSummary>(`${library.base}/summary`, { assetIds: some }, { signal }))
  }
  return parts.length === 1 ? parts[0]! : together(parts)
}

function together(parts: AssetSummary[]): AssetSummary {
  const tags = new Map<string, AssetSummary['tags'][number]>()
  const surfaces = new Map<string, AssetSummary['surfaces'][number]>()
  const provenances = new Map<string, AssetSummary['provenances'][number]>()
  const add = <Each extends { assets: number }>(to: Map<string, Each>, name: string, each: Each) =>
    to.set(name, { ...each, assets: each.assets + (to.get(name)?.assets ?? 0) })
  for (const part of parts) {
    for (const each of part.tags) add(tags, each.tag.toLowerCase(), each)
    for (const each of part.surfaces) add(surfaces, surfacesName(each.allowedSurfaces), each)
    for (const each of part.provenances) add(provenances, each.provenance, each)
  }
  const ends = parts.flatMap(({ rights: { first, last } }) => (first && last ? [first, last] : [])).sort()
  return {
    assets: parts.reduce((sum, { assets }) => sum + assets, 0),
    tags: [...tags.values()].sort((a, b) => b.assets - a.assets),
    surfaces: [...surfaces.values()],
    provenances: [...provenances.values()].sort((a, b) => b.assets - a.assets),
    rights: {
      ending: parts.reduce((sum, { rights }) => sum + rights.ending, 0),
      first: ends[0] ?? null,
      last: ends.at(-1) ?? null,
    },
  }
}

export const surfacesName = (surfaces: Surface[]) => surfaces.toSorted().join(' ')
