import { ActionIcon, Popover } from '@mantine/core'
import { Bell } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslations } from 'use-intl'
import { partOf } from '../ui/part.ts'
import { useNotifications } from './notifications.ts'
import './bell.css'

const NotificationList = partOf(() => import('./notification-list.tsx'), 'NotificationList')

/** How many things the person has not looked at yet, and the way to them. */
export function NotificationBell() {
  const t = useTranslations('notifications')
  const [opened, setOpened] = useState(false)
  const list = useNotifications()
  const unread = list.data?.pages[0]?.unread ?? 0
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      width="min(400px, calc(100vw - 24px))"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <ActionIcon
          size={36}
          className="bell"
          aria-label={t('bell', { count: unread })}
          onClick={() => {
            setOpened(!opened)
            if (!opened) list.refetch()
          }}
        >
          <Bell size={18} />
          {unread > 0 && (
            <span className="bell-count" aria-hidden>
              {unread > 99 ? '99+' : unread}
            </span>
          )}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label={t('title')}>
        <Suspense>
          <NotificationList list={list} unread={unread} onGone={() => setOpened(false)} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
