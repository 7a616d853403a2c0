import { Button } from '@mantine/core'
import { Link, useRouter } from '@tanstack/react-router'
import {
  AtSign,
  BellOff,
  CircleAlert,
  Clock,
  HardDrive,
  ImagePlus,
  Inbox,
  LogIn,
  type LucideIcon,
  MessageCircle,
  MessageCircleQuestion,
  MessageCircleReply,
} from 'lucide-react'
import type { MouseEvent } from 'react'
import { useFormatter, useNow, useTranslations } from 'use-intl'
import type { Notification, NotificationKind } from '../../contract/notifications.ts'
import { LoadState, Nothing } from '../ui/list-notes.tsx'
import { ShowMore } from '../ui/show-more.tsx'
import { useMarkRead, type useNotifications } from './notifications.ts'
import './notification-list.css'

/** What stands behind the bell. Whatever is looked at is read. */
export function NotificationList({
  list,
  unread,
  onGone,
}: {
  list: ReturnType<typeof useNotifications>
  unread: number
  onGone(): void
}) {
  const t = useTranslations('notifications')
  const markRead = useMarkRead()
  const all = list.data?.pages.flatMap(({ notifications }) => notifications) ?? []
  return (
    <section className="notices" aria-label={t('title')}>
      <header>
        <h2>{t('title')}</h2>
        {unread > 0 && (
          <Button size="compact-sm" variant="subtle" onClick={() => markRead.mutate({})}>
            {t('allRead')}
          </Button>
        )}
      </header>
      <div className="notices-rows">
        <LoadState query={list} />
        {list.isSuccess && all.length === 0 && <Nothing icon={<BellOff size={22} />} title={t('none')} />}
        <ul>
          {all.map((one) => (
            <li key={one.notificationId}>
              <Row
                one={one}
                onOpen={() => {
                  if (!one.readAt) markRead.mutate({ notificationIds: [one.notificationId] })
                  onGone()
                }}
              />
            </li>
          ))}
        </ul>
        <ShowMore list={list} />
      </div>
      <footer>
        <Link to="/account" hash="notifications" onClick={onGone}>
          {t('choose')}
        </Link>
      </footer>
    </section>
  )
}

const icons: Record<NotificationKind, LucideIcon> = {
  'delivery-failed': CircleAlert,
  'sign-in-needed': LogIn,
  'rights-ending': Clock,
  'quota-nearly-full': HardDrive,
  'new-files': ImagePlus,
  'guest-files': Inbox,
  'review-asked': MessageCircleQuestion,
  'review-answered': MessageCircleReply,
  commented: MessageCircle,
  mentioned: AtSign,
}

function Row({ one, onOpen }: { one: Notification; onOpen(): void }) {
  const t = useTranslations('notifications')
  const format = useFormatter()
  const router = useRouter()
  const now = useNow()
  const Icon = icons[one.kind]
  const [to = '', search] = one.path.split('?')

  function open(event: MouseEvent) {
    onOpen()
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    router.navigate({ to, search: Object.fromEntries(new URLSearchParams(search)) } as never)
  }

  return (
    <a href={`/app${one.path}`} className="notice" data-unread={!one.readAt || undefined} onClick={open}>
      <Icon size={18} aria-hidden />
      <span>
        <span className="notice-text">{useSentence(one)}</span>
        <span className="notice-sub">
          {one.clientName} · {format.relativeTime(new Date(one.createdAt), now)}
        </span>
      </span>
      {!one.readAt && <span className="notice-new">{t('unread')}</span>}
    </a>
  )
}

function useSentence({ kind, name, count, day }: Notification): string {
  const t = useTranslations('notifications')
  const format = useFormatter()
  return t(`sentences.${kind}`, {
    name: name ?? t('something'),
    count,
    day: day ? format.dateTime(new Date(`${day}T12:00:00`), { dateStyle: 'long' }) : '',
  })
}
