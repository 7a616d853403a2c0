import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import type { Activity } from '../../contract/activity.ts'
import { useLibrary } from '../library/library.tsx'
import { LoadState } from '../ui/list-notes.tsx'
import { ShowMore } from '../ui/show-more.tsx'
import { useActivity } from './activity.ts'
import { useActor, useChanged } from './activity-words.ts'
import './activity.css'

/** What was done, each in a line: what, to which thing or how often, who and when. */
export const ActivityList = ({ activity, label }: { activity: Activity[]; label: string }) => (
  <ol className="activity" aria-label={label}>
    {activity.map((one) => (
      <Line key={one.activityId} one={one} />
    ))}
  </ol>
)

function Line({ one }: { one: Activity }) {
  const actions = useTranslations('audit.actions')
  const format = useFormatter()
  const actor = useActor()
  const changed = useChanged()(one)
  const t = useTranslations('activity')
  const [isOpen, setOpen] = useState(false)
  const { together, into } = one
  const at = new Date(one.at)
  return (
    <li>
      <span className="activity-what">
        {actions(one.action)}
        {changed && `: ${changed}`}
        {together && ` · ${t('together', { count: together.count, more: String(together.more) })}`}
      </span>
      {together ? <span className="activity-names">{namesOf(together)}</span> : <Thing {...one} />}
      {into?.name && (
        <span className="activity-into">
          {t('into')} <Thing action={one.action} {...into} />
        </span>
      )}
      <small>
        {actor(one)} ·{' '}
        <time dateTime={one.at} title={format.dateTime(at, { dateStyle: 'medium', timeStyle: 'medium' })}>
          {format.dateTime(at, { dateStyle: 'medium', timeStyle: 'short' })}
        </time>
      </small>
      {together && (
        <Button
          variant="default"
          size="compact-xs"
          className="activity-open"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {t(isOpen ? 'togetherHide' : 'togetherShow')}
        </Button>
      )}
      {together && isOpen && <Each together={together} label={actions(one.action)} />}
    </li>
  )
}

type Together = NonNullable<Activity['together']>

const namesOf = ({ count, names }: Together) => names.join(', ') + (count > names.length ? ' …' : '')

/** One by one, as many as are meant, page by page. */
function Each({ together: { cursor, count }, label }: { together: Together; label: string }) {
  const page = useActivity({ cursor })
  const each = page.data?.pages.flatMap(({ activity }) => activity).slice(0, count) ?? []
  return (
    <div className="activity-each">
      <LoadState query={page} />
      {each.length > 0 && <ActivityList activity={each} label={label} />}
      <ShowMore list={{ ...page, hasNextPage: page.hasNextPage && each.length < count }} />
    </div>
  )
}

/** What can be opened, and so begins its ids, is what its place in the library is called. */
const openable = ['asset', 'folder', 'collection']

/** Its name, which leads to it where it can still be opened. */
function Thing({ action, thing, name }: Pick<Activity, 'action' | 'thing' | 'name'>) {
  const { frame, clientId } = useLibrary()
  if (!name) return null
  const kind = openable.find((each) => thing?.startsWith(`${each}_`))
  const isGone = action.endsWith('.purged') || action === 'collection.deleted'
  if (!kind || isGone) return <strong>{name}</strong>
  const to = frame === 'admin' ? '/clients/$clientId/assets' : '/portal/assets'
  return (
    <Link to={to} params={{ clientId }} search={{ [kind]: thing } as never} className="access-link">
      {name}
    </Link>
  )
}
