import { Checkbox } from '@mantine/core'
import { useTranslations } from 'use-intl'
import type { Client } from '../../contract/clients.ts'
import { surfaces } from '../../contract/words.ts'
import { toast } from '../ui/toast.tsx'
import { useProblemText } from '../words/problem-text.ts'
import { useSaveClient } from './clients.ts'

/** Where agents and deliveries may use only what is approved. A tick is kept at once. */
export function ApprovedOnly({ client }: { client: Client }) {
  const t = useTranslations('review')
  const names = useTranslations('surfaces')
  const problemText = useProblemText()
  const save = useSaveClient(client.clientId)
  return (
    <Checkbox.Group
      className="settings"
      label={t('approvedOnly')}
      description={t('approvedOnlyHint')}
      error={save.error ? problemText(save.error) : undefined}
      value={save.isPending ? save.variables.approvedOnlySurfaces : client.approvedOnlySurfaces}
      onChange={(value) =>
        save.mutate(
          { approvedOnlySurfaces: surfaces.filter((surface) => value.includes(surface)) },
          { onSuccess: () => toast({ about: client.clientId, text: t('approvedOnlySaved') }) },
        )
      }
    >
      {surfaces.map((surface) => (
        <Checkbox key={surface} value={surface} label={names(surface)} mt={8} />
      ))}
    </Checkbox.Group>
  )
}
