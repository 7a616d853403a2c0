import { useTranslations } from 'use-intl'
import { Problem } from '../api.ts'
import { useProblemText } from './problem-text.ts'
import { fieldRules } from './rules.ts'

/**
 * Sorts a refused form's problem to the fields it speaks of; what belongs to none of them is said above all. `units` are
 * those of fields that ask for more than ones.
 */
export function useFormProblems(
  error: unknown,
  fields: readonly string[],
  units: Record<string, number> = {},
) {
  const t = useTranslations('access.users')
  const rules = useTranslations('problems.rules')
  const problemText = useProblemText()
  const at: Record<string, string> = {}
  if (!error) return { at, general: null }
  if (error instanceof Problem) {
    if (error.code === 'email-taken') at.email = t('emailTaken')
    if (error.code === 'weak-password') at.password = t('weakPassword')
    for (const { path, rule, limit = 0 } of error.errors) {
      const field = path.split('/')[1] ?? ''
      if (fields.includes(field))
        at[field] ??= rules(knownRule(rule), { limit: Math.floor(limit / (units[field] ?? 1)) })
    }
    if (error.code === 'in-use') return { at, general: t('lastAdmin') }
  }
  return { at, general: Object.keys(at).length > 0 ? null : problemText(error) }
}

const knownRule = (rule?: string) => fieldRules.find((known) => known === rule) ?? 'other'
