import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { mostSuggested, type SuggestionRun } from '../../contract/suggestions.ts'
import { api } from '../api.ts'
import { useLibrary } from '../library/library.tsx'
import { useNotDone } from '../library/not-saved.ts'
import { withProgress } from '../library/progress.ts'
import { chosenCount, isFolderId, meantBy } from '../library/selection.ts'
import { toast } from '../ui/toast.tsx'
import { useProblemText } from '../words/problem-text.ts'
import { runKept } from './run-left.ts'
import { followRun, offered, problemOf, startRun } from './suggestions.ts'
import { useSuggestionWords } from './words.ts'

/** Has many assets suggested to, as a job of the server's; undefined where no model may be asked. */
export function useSuggestMany(): ((ids: string[]) => Promise<void>) | undefined {
  const t = useSuggestionWords()
  const library = useLibrary()
  const notDone = useNotDone()
  const follow = useFollowing()
  const { data } = useQuery(offered(library))
  if (!data?.model) return undefined
  const suggest = async (ids: string[]) => {
    const assetIds = ids.filter((id) => !isFolderId(id))
    if (chosenCount(assetIds) > mostSuggested)
      return void toast({ about, text: t.tooMany(mostSuggested), bad: true })
    try {
      await follow(await startRun(library, meantBy(assetIds) ?? { assetIds }))
    } catch (error) {
      notDone({ about, what: t.notAsked, error, again: () => void suggest(ids) })
    }
  }
  return suggest
}

/** Goes on showing the run that was under way when the page was left. */
export function RunLeft() {
  const library = useLibrary()
  const follow = useFollowing()
  const latest = useRef(follow)
  latest.current = follow
  useEffect(() => {
    const runId = sessionStorage.getItem(runKept(library))
    if (!runId || followed.has(runId)) return
    api
      .get<SuggestionRun>(`${library.root}/suggestions/runs/${runId}`)
      .then((run) => latest.current(run))
      .catch(() => sessionStorage.removeItem(runKept(library)))
  }, [library])
  return null
}

/** Shows how far it is until it has ended, and says what came of it. */
function useFollowing() {
  const t = useSuggestionWords()
  const library = useLibrary()
  const client = useQueryClient()
  const problemText = useProblemText()
  return async (begun: SuggestionRun) => {
    sessionStorage.setItem(runKept(library), begun.runId)
    followed.add(begun.runId)
    const run = await withProgress(t.asking, begun.total, (step, signal) => {
      step(begun.done)
      return followRun(library, begun, { step: ({ done }) => step(done), signal })
    })
    sessionStorage.removeItem(runKept(library))
    await client.invalidateQueries({ queryKey: ['suggestions', library.root] })
    const bad = run.problem !== null && (run.state === 'stopped' || run.failed > 0)
    const said = [t.askedAbout(run.done), ...(run.made > 0 ? [t.decide] : [])]
    toast({ about, text: [...said, ...(bad ? [problemText(problemOf(run.problem!))] : [])].join(' '), bad })
  }
}

const about = 'suggested'
/** By this page. */
const followed = new Set<string>()
