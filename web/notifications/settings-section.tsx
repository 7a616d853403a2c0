import { Select } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { type NotificationWay, notificationWays } from '../../contract/notifications.ts'
import { Section } from '../account/section.tsx'
import { LoadState } from '../ui/list-notes.tsx'
import { toast } from '../ui/toast.tsx'
import { useProblemText } from '../words/problem-text.ts'
import { useChangeNotificationSettings, useNotificationSettings } from './notifications.ts'

/** What the person wants to be told of, and how; each choice counts at once. */
export function NotificationSettings() {
  const t = useTranslations('notifications')
  const problemText = useProblemText()
  const query = useNotificationSettings()
  const change = useChangeNotificationSettings()
  const { mail = false, settings = [] } = query.data ?? {}
  const ways = notificationWays.filter((way) => mail || !byMail(way))
  return (
    <div id="notifications">
      <Section title={t('title')} lead={mail ? t('settingsLead') : t('settingsLeadWithoutMail')}>
        <LoadState query={query} />
        {settings.map(({ kind, way }) => (
          <Select
            key={kind}
            label={t(`kinds.${kind}`)}
            data={ways.map((value) => ({ value, label: t(`ways.${value}`) }))}
            value={mail || !byMail(way) ? way : 'app'}
            allowDeselect={false}
            onChange={(value) =>
              change.mutate(
                { [kind]: value },
                {
                  onSuccess: () => toast({ about: 'notifications', text: t('saved') }),
                  onError: (error) => toast({ about: 'notifications', text: problemText(error), bad: true }),
                },
              )
            }
          />
        ))}
      </Section>
    </div>
  )
}

const byMail = (way: NotificationWay) => way === 'daily' || way === 'at-once'
