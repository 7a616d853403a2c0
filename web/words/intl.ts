import { use } from 'react'
import { useMessages, useTranslations as useSpoken } from 'use-intl/react'
import { restOfWords } from './spoken.ts'

export * from 'use-intl/react'

/** Stands in for that of `use-intl`: words that are still to come are waited for, like a component that is. */
export const useTranslations: typeof useSpoken = (namespace) => {
  const [chapter] = (namespace as string).split('.')
  if (!(chapter! in useMessages())) use(restOfWords())
  return useSpoken(namespace)
}
