import { Select } from '@mantine/core'
import { useTranslations } from 'use-intl'
import {
  type NotificationKind,
  type NotificationWay,
  notificationWays,
} from '../../contract/notifications.ts'
import { Section } from '../account/section.tsx'
import { LoadState } from '../ui/list-notes.tsx'
import { useChoice } from '../ui/use-choice.ts'
import { useChangeNotificationSettings, useNotificationSettings } from './notifications.ts'

/** What the person wants to be told of, and how; each choice counts at once. */
export function NotificationSettings() {
  const t = useTranslations('notifications')
  const query = useNotificationSettings()
  const { mail = false, settings = [] } = query.data ?? {}
  const ways = notificationWays.filter((way) => mail || !byMail(way))
  return (
    <div id="notifications">
      <Section title={t('title')} lead={mail ? t('settingsLead') : t('settingsLeadWithoutMail')}>
        <LoadState query={query} />
        {settings.map(({ kind, way }) => (
          <Way key={kind} kind={kind} ways={ways} kept={mail || !byMail(way) ? way : 'app'} />
        ))}
      </Section>
    </div>
  )
}

function Way({
  kind,
  ways,
  kept,
}: {
  kind: NotificationKind
  ways: NotificationWay[]
  kept: NotificationWay
}) {
  const t = useTranslations('notifications')
  const change = useChangeNotificationSettings()
  const [way, choose] = useChoice(kept, {
    save: (way) => change.mutateAsync({ [kind]: way }),
    about: 'notifications',
    saved: () => t('saved'),
  })
  return (
    <Select
      label={t(`kinds.${kind}`)}
      data={ways.map((value) => ({ value, label: t(`ways.${value}`) }))}
      value={way}
      allowDeselect={false}
      onChange={(value) => value && choose(value)}
    />
  )
}

const byMail = (way: NotificationWay) => way === 'daily' || way === 'at-once'
