import { Radio, Select, Stack, Text } from '@mantine/core'
import { useLocale } from 'use-intl'
import {
  type SuggestionMode,
  type SuggestionSettingsChange,
  suggestionModes,
} from '../../contract/suggestions.ts'
import { toast } from '../ui/toast.tsx'
import { useProblemText } from '../words/problem-text.ts'
import { useSaveSuggestionSettings, useSuggestionSettings } from './suggestions.ts'
import { useSuggestionWords } from './words.ts'

const written =
  'ar cs da de el en es et fi fr hr hu it ja ko lt lv nb nl pl pt ro ru sk sl sv tr uk zh'.split(' ')

/** Whether a model may be asked about pictures of this client, told with what leaves and where to. A choice is kept at once. */
export function SuggestionSettings({ clientId }: { clientId: string }) {
  const t = useSuggestionWords()
  const locale = useLocale()
  const problemText = useProblemText()
  const settings = useSuggestionSettings(clientId)
  const save = useSaveSuggestionSettings(clientId)
  if (!settings?.host || !settings.model) return null
  const { mode, language } = { ...settings, ...(save.isPending && save.variables) }
  const names = new Intl.DisplayNames(locale, { type: 'language' })
  const set = (change: Partial<SuggestionSettingsChange>) =>
    save.mutate(
      { mode, language, ...change },
      { onSuccess: () => toast({ about: clientId, text: t.settings.saved }) },
    )
  return (
    <section className="settings" aria-label={t.settings.title}>
      <Stack gap={14}>
        <Radio.Group
          label={t.settings.title}
          description={t.settings.leaves(settings.model, settings.host)}
          error={save.error ? problemText(save.error) : undefined}
          value={mode}
          onChange={(value) => set({ mode: value as SuggestionMode })}
        >
          {suggestionModes.map((one) => (
            <Radio key={one} value={one} label={t.settings.modes[one]} mt={8} />
          ))}
        </Radio.Group>
        {mode !== 'off' && (
          <Select
            label={t.settings.language}
            searchable
            allowDeselect={false}
            data={[...new Set([language, ...written])]
              .map((code) => ({ value: code, label: names.of(code) ?? code }))
              .sort((a, b) => a.label.localeCompare(b.label, locale))}
            value={language}
            onChange={(value) => value && set({ language: value })}
          />
        )}
        {mode !== 'off' && (
          <Text size="sm" c="dimmed">
            {t.settings.today(settings.askedToday, settings.dailyLimit)}
          </Text>
        )}
      </Stack>
    </section>
  )
}
