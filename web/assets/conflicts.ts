import { useSyncExternalStore } from 'react'
import type { Asset } from '../../contract/assets.ts'

export type EditableField =
  | 'title'
  | 'description'
  | 'altText'
  | 'allowedSurfaces'
  | 'provenance'
  | 'rightsExpireAt'

export interface Conflict {
  title: string
  field: EditableField
  yours: Asset[EditableField]
  theirs: Asset[EditableField]
}

type Choice = 'yours' | 'theirs'

let asked: (Conflict & { answer(choice: Choice): void })[] = []
const listeners = new Set<() => void>()

function set(next: typeof asked) {
  asked = next
  for (const listener of listeners) listener()
}

/** Two people changed the same field: the second one is shown both values and chooses. */
export function askWhichToKeep(conflict: Conflict): Promise<Choice> {
  const { promise, resolve } = Promise.withResolvers<Choice>()
  const question = {
    ...conflict,
    answer(choice: Choice) {
      set(asked.filter((other) => other !== question))
      resolve(choice)
    },
  }
  set([...asked, question])
  return promise
}

export const useConflict = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => asked[0],
  )
