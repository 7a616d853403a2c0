import { Checkbox } from '@mantine/core'
import { useTranslations } from 'use-intl'
import type { Client } from '../../contract/clients.ts'
import { surfaces } from '../../contract/words.ts'
import { useChoice } from '../ui/use-choice.ts'
import { useSaveClient } from './clients.ts'

/** Where agents and deliveries may use only what is approved. A tick is kept at once. */
export function ApprovedOnly({ client }: { client: Client }) {
  const t = useTranslations('review')
  const names = useTranslations('surfaces')
  const save = useSaveClient(client.clientId)
  const [chosen, choose] = useChoice(client.approvedOnlySurfaces, {
    save: (approvedOnlySurfaces) => save.mutateAsync({ approvedOnlySurfaces }),
    about: client.clientId,
    saved: () => t('approvedOnlySaved'),
  })
  return (
    <Checkbox.Group
      className="settings"
      label={t('approvedOnly')}
      description={t('approvedOnlyHint')}
      value={chosen}
      onChange={(value) => choose(surfaces.filter((surface) => value.includes(surface)))}
    >
      {surfaces.map((surface) => (
        <Checkbox key={surface} value={surface} label={names(surface)} mt={8} />
      ))}
    </Checkbox.Group>
  )
}
