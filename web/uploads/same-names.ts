import { mostNames, type NamesQuestion, type TakenNames } from '../../contract/uploads.ts'
import { api } from '../api.ts'
import type { Twin } from './upload.ts'

const gatherMilliseconds = 30

/** Whether the folder has a file of this name already. Files that come together are asked about together. */
export function sameNames(base: string) {
  const waiting = new Map<string | null, Map<string, ((twin: Twin | null) => void)[]>>()

  async function ask(folderId: string | null) {
    const asked = [...waiting.get(folderId)!]
    waiting.delete(folderId)
    for (let at = 0; at < asked.length; at += mostNames) {
      const some = asked.slice(at, at + mostNames)
      const question: NamesQuestion = { folderId, names: some.map(([name]) => name) }
      // Where nothing can be learnt, nothing is in the way: both are kept, and none is lost.
      const { taken } = await api
        .post<TakenNames>(`${base}/upload-session/taken-names`, question)
        .catch((): TakenNames => ({ taken: [] }))
      const twins = new Map(taken.map((twin) => [twin.name, twin]))
      for (const [name, answers] of some) for (const answer of answers) answer(twins.get(name) ?? null)
    }
  }

  return (folderId: string | null, name: string): Promise<Twin | null> => {
    const { promise, resolve } = Promise.withResolvers<Twin | null>()
    if (!waiting.has(folderId)) {
      waiting.set(folderId, new Map())
      setTimeout(ask, gatherMilliseconds, folderId)
    }
    const names = waiting.get(folderId)!
    names.set(name, [...(names.get(name) ?? []), resolve])
    return promise
  }
}
