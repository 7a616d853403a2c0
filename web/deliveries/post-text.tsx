import { Textarea } from '@mantine/core'
import { useTranslations } from 'use-intl'
import type { PostRules } from '../../contract/connection-kinds.ts'

export const isGoodText = ({ text: { min, max } }: PostRules, text: string) =>
  text.trim().length >= min && text.trim().length <= max

/** What a post is to say, and how much more it may. */
export function PostText({
  rules,
  value,
  onChange,
}: {
  rules: PostRules
  value: string
  onChange(text: string): void
}) {
  const t = useTranslations('deliveries')
  const left = rules.text.max - value.trim().length
  return (
    <Textarea
      mt={14}
      label={t('text')}
      description={`${t('publishedAtOnce')} ${t('textLeft', { count: Math.max(0, left) })}`}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      required={rules.text.min > 0}
      autosize
      minRows={3}
      maxRows={10}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={left < 0 ? t('textTooLong', { count: -left }) : undefined}
    />
  )
}
