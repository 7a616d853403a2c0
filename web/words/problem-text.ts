import { useLocale, useTranslations } from 'use-intl'
import type { ProblemCode } from '../../contract/problems.ts'
import { Problem } from '../api.ts'
import { fileSize, sizeLimit } from './file-size.ts'
import { fieldRules } from './rules.ts'

/** What a failure tells the person, in their language: a sentence for its code, with what the server says of it. */
export function useProblemText() {
  const t = useTranslations('problems')
  const locale = useLocale()
  return (error: unknown): string => {
    if (!(error instanceof Problem)) return t('unknown')
    if (error.code === 'unreachable') return t('unreachable')
    const [refusal] = error.refusals
    const [{ rule = undefined, limit = 0 } = {}, ...others] = error.errors
    const known = fieldRules.find((one) => one === rule)
    if (known && others.length === 0) return t(`rules.${known}`, { limit })
    if (refusal) return t(`refusals.${refusal.code}`)
    const code = `codes.${error.code as ProblemCode}` as const
    return t.has(code) ? t(code, mentioned(error, locale)) : t('unknown')
  }
}

function mentioned({ params, retryAfterSeconds }: Problem, locale: string) {
  const seconds = retryAfterSeconds ?? 1
  return {
    name: params.name ?? '',
    path: params.path ?? '',
    title: params.title ?? '',
    reason: params.reason ?? '',
    provider: params.provider ?? '',
    missing: params.missing ?? '',
    most: params.most ?? '',
    languages: languageNames(String(params.languages ?? ''), locale),
    mostBytes: sizeLimit(Number(params.mostBytes ?? 0), locale),
    usedBytes: fileSize(Number(params.usedBytes ?? 0), locale),
    quotaBytes: sizeLimit(Number(params.quotaBytes ?? 0), locale),
    seconds,
    minutes: Math.ceil(seconds / 60),
  }
}

function languageNames(tags: string, locale: string): string {
  const names = new Intl.DisplayNames([locale], { type: 'language' })
  return new Intl.ListFormat(locale).format(tags.split(' ').flatMap((tag) => (tag && names.of(tag)) || []))
}
