import { notifyManager } from '@tanstack/react-query'
import { useState } from 'react'
import { useProblemText } from '../words/problem-text.ts'
import { toast } from './toast.tsx'

interface Saving<Value> {
  save(value: Value): Promise<unknown>
  /** What both words are about; without it, `save` says them itself. */
  about?: string
  saved?(value: Value): string
  /** What is said of a refusal, where its usual words do not do. */
  refused?(error: unknown): string | undefined
}

/** A choice that counts at once: it shows while it is saved, until what was saved is there, and goes back if that fails. */
export function useChoice<Value>(
  kept: Value,
  { save, about, saved, refused }: Saving<Value>,
): [Value, (value: Value) => void] {
  const problemText = useProblemText()
  const [chosen, setChosen] = useState<{ value: Value }>()

  async function choose(value: Value) {
    const choice = { value }
    const end = () => setChosen((latest) => (latest === choice ? undefined : latest))
    setChosen(choice)
    try {
      await save(value)
      // After all who were told before what was saved.
      notifyManager.schedule(end)
      if (saved) toast({ about, text: saved(value) })
    } catch (error) {
      end()
      toast({ about, text: refused?.(error) ?? problemText(error), bad: true })
    }
  }

  return [chosen ? chosen.value : kept, (value) => void choose(value)]
}
