import { Checkbox } from '@mantine/core'
import { useLocale, useTranslations } from 'use-intl'
import type { ClientRecord } from '../../contract/clients.ts'
import { type OcrLanguage, ocrLanguages } from '../../contract/ocr-languages.ts'
import { useChoice } from '../ui/use-choice.ts'
import { useSaveClient } from './clients.ts'

/** In which languages words in the client's pictures are read, the first one first. A tick is kept at once. */
export function OcrLanguages({ client }: { client: ClientRecord }) {
  const t = useTranslations('settings')
  const names = new Intl.DisplayNames([useLocale()], { type: 'language' })
  const save = useSaveClient(client.clientId)
  const [chosen, choose] = useChoice<OcrLanguage[] | null>(client.ocrLanguages, {
    save: (languages) => save.mutateAsync({ ocrLanguages: languages }),
    about: client.clientId,
    saved: () => t('ocrSaved'),
  })
  return (
    <Checkbox.Group
      className="settings"
      label={t('ocr')}
      description={client.readsWords ? t('ocrHint') : t('ocrOff')}
      value={chosen ?? ['default']}
      onChange={(value) => {
        const languages = ocrLanguages.filter((language) => value.includes(language))
        const first = (chosen ?? []).filter((language) => languages.includes(language))
        const isDefault = value.includes('default') && chosen !== null
        choose(isDefault ? null : [...new Set([...first, ...languages])])
      }}
    >
      {client.readsWords && (
        <>
          <Checkbox value="default" label={t('ocrDefault')} mt={8} />
          {ocrLanguages.map((language) => (
            <Checkbox key={language} value={language} label={names.of(language)} mt={8} />
          ))}
        </>
      )}
    </Checkbox.Group>
  )
}
