import type { Asset } from '../../contract/assets.ts'
import { createStore, useStore } from '../store.ts'

export type EditableField =
  | 'title'
  | 'description'
  | 'altText'
  | 'allowedSurfaces'
  | 'provenance'
  | 'rightsExpireAt'
  | 'focalPoint'
  | 'crops'

export interface Conflict {
  title: string
  field: EditableField
  yours: Asset[EditableField]
  theirs: Asset[EditableField]
}

type Choice = 'yours' | 'theirs'

const questions = createStore<(Conflict & { answer(choice: Choice): void })[]>([])

/** Two people changed the same field: the second one is shown both values and chooses. */
export function askWhichToKeep(conflict: Conflict): Promise<Choice> {
  const { promise, resolve } = Promise.withResolvers<Choice>()
  const question = {
    ...conflict,
    answer(choice: Choice) {
      questions.set(questions.get().filter((other) => other !== question))
      resolve(choice)
    },
  }
  questions.set([...questions.get(), question])
  return promise
}

export const useConflict = () => useStore(questions, ([first]) => first)
