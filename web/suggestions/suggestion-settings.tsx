import { Alert, Button, Radio, Select, Stack, Text } from '@mantine/core'
import { useLocale } from 'use-intl'
import type {
  SuggestionSettings as Settings,
  SuggestionMode,
  SuggestionSettingsChange,
} from '../../contract/suggestions.ts'
import { useChoice } from '../ui/use-choice.ts'
import { useSaveSuggestionSettings, useSuggestionSettings } from './suggestions.ts'
import { useSuggestionWords } from './words.ts'

const written =
  'ar cs da de el en es et fi fr hr hu it ja ko lt lv nb nl pl pt ro ru sk sl sv tr uk zh'.split(' ')

/** Whether models may be asked, told with what leaves for them and where to. A choice is kept at once. */
export function SuggestionSettings({ clientId }: { clientId: string }) {
  const settings = useSuggestionSettings(clientId)
  return settings?.host ? <Choices clientId={clientId} settings={settings} host={settings.host} /> : null
}

function Choices({ clientId, settings, host }: { clientId: string; settings: Settings; host: string }) {
  const t = useSuggestionWords()
  const locale = useLocale()
  const save = useSaveSuggestionSettings(clientId)
  const { model, embeddingsModel, sends } = settings
  const [{ mode, language, consentedTo }, choose] = useChoice<
    Pick<Settings, 'mode' | 'language' | 'consentedTo'>
  >(settings, { save: save.mutateAsync, about: clientId, saved: () => t.settings.saved })
  const asked = { pictures: model, words: embeddingsModel }
  const modes = model ? t.settings.modes : t.settings.modesOfWords
  const notYet = mode === 'off' ? [] : sends.filter((kind) => !consentedTo?.includes(kind))
  const names = new Intl.DisplayNames(locale, { type: 'language' })
  const set = (change: Partial<SuggestionSettingsChange>) =>
    // Only whoever turns it on, or is asked for more, consents to all that is said here.
    choose({ mode, language, consentedTo: mode === 'off' ? sends : (consentedTo ?? []), ...change })
  return (
    <section className="settings" aria-label={t.settings.title}>
      <Stack gap={14}>
        <Radio.Group
          label={t.settings.title}
          description={
            <>
              {t.settings.leaves(host)}
              {sends.map((kind) => (
                <span key={kind} className="settings-sent">
                  {t.settings.sent[kind](asked[kind] ?? '')}
                </span>
              ))}
            </>
          }
          value={model || mode === 'off' ? mode : 'on-request'}
          onChange={(value) => set({ mode: value as SuggestionMode })}
        >
          {Object.entries(modes).map(([one, label]) => (
            <Radio key={one} value={one} label={label} mt={8} />
          ))}
        </Radio.Group>
        {notYet.length > 0 && (
          <Alert color="yellow" variant="light">
            <p className="settings-not-yet">
              {t.settings.notYet(notYet.map((kind) => t.settings.kinds[kind]).join(', '))}
            </p>
            <Button size="compact-sm" variant="default" onClick={() => set({ consentedTo: sends })}>
              {t.settings.allowToo}
            </Button>
          </Alert>
        )}
        {model && mode !== 'off' && (
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
        {model && mode !== 'off' && (
          <Text size="sm" c="dimmed">
            {t.settings.today(settings.askedToday, settings.dailyLimit)}
          </Text>
        )}
      </Stack>
    </section>
  )
}
