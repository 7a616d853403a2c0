import { mostNames, type NamesQuestion, type TakenNames } from '../../contract/uploads.ts'
import { api } from '../api.ts'
import type { Twin } from './upload.ts'

const gatherMilliseconds = 30

/** The first of “name (2)”, “name (3)”… that no file in the folder has; a number that is there is counted on. */
export async function freeName(base: string, folderId: string | null, name: string): Promise<string> {
  for (let more = 1; ; more += together) {
    const names = Array.from({ length: together }, (_, at) => counted(name, more + at))
    const { taken } = await api.post<TakenNames>(`${base}/upload-session/taken-names`, { folderId, names })
    const free = names.find((one) => !taken.some((twin) => twin.name === one))
    if (free) return free
  }
}

const together = 20

export const counted = (name: string, more: number) =>
  name.replace(
    /^(.+?)(?: \((\d{1,6})\))?(\.[^.]*)?$/s,
    (_, stem, number = 1, ending = '') => `${stem} (${Number(number) + more})${ending}`,
  )

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
