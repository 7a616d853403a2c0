import { ActionIcon, Button } from '@mantine/core'
import { LogOut } from 'lucide-react'
import { useFormatter, useTranslations } from 'use-intl'
import type { Session } from '../../contract/access.ts'
import { LoadState } from '../ui/list-notes.tsx'
import { toast } from '../ui/toast.tsx'
import { useProblemText } from '../words/problem-text.ts'
import { useEndOtherSessions, useEndSession, useSessions } from './account.ts'
import { browserIn } from './browser-in.ts'
import { Section } from './section.tsx'

/** Where a person is signed in, and the way to end it there. */
export function SessionList() {
  const t = useTranslations('account')
  const problemText = useProblemText()
  const sessions = useSessions()
  const endAll = useEndOtherSessions()
  const others = sessions.data?.some(({ isCurrent }) => !isCurrent)

  function end() {
    endAll.mutate(undefined, {
      onSuccess: ({ ended }) => toast({ about: 'sessions', text: t('endedOthers', { count: ended }) }),
      onError: (error) => toast({ about: 'sessions', text: problemText(error), bad: true }),
    })
  }

  return (
    <Section title={t('sessions')} lead={t('sessionsLead')}>
      <LoadState query={sessions} />
      <ul className="account-list">
        {sessions.data?.map((session) => (
          <SessionRow key={session.sessionId} session={session} />
        ))}
      </ul>
      {others && (
        <Button variant="default" loading={endAll.isPending} onClick={end}>
          {t('endOthers')}
        </Button>
      )}
    </Section>
  )
}

function SessionRow({ session }: { session: Session }) {
  const t = useTranslations('account')
  const format = useFormatter()
  const problemText = useProblemText()
  const end = useEndSession()
  const { browser, system } = browserIn(session.userAgent)
  const name = browser ? t('browserOn', { browser, system }) : t('unknownBrowser')
  const used = format.dateTime(new Date(session.lastUsedAt), { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <li>
      <div>
        <strong>{name}</strong>
        <span className="account-sub">
          {session.isCurrent
            ? t('thisBrowser')
            : t('lastUsed', { time: used, address: session.address ?? '–' })}
        </span>
      </div>
      {!session.isCurrent && (
        <ActionIcon
          aria-label={t('endSession', { name })}
          loading={end.isPending}
          onClick={() =>
            end.mutate(session.sessionId, {
              onError: (error) => toast({ about: session.sessionId, text: problemText(error), bad: true }),
            })
          }
        >
          <LogOut size={16} />
        </ActionIcon>
      )}
    </li>
  )
}
