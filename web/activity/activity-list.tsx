import { Link } from '@tanstack/react-router'
import { useFormatter, useTranslations } from 'use-intl'
import type { Activity } from '../../contract/activity.ts'
import { useLibrary } from '../library/library.tsx'
import { useActor, useChanged } from './activity-words.ts'
import './activity.css'

/** What was done, each in a line: what, to which thing, who and when. */
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
  const at = new Date(one.at)
  return (
    <li>
      <span className="activity-what">
        {actions(one.action)}
        {changed && `: ${changed}`}
      </span>
      <Thing one={one} />
      <small>
        {actor(one)} ·{' '}
        <time dateTime={one.at} title={format.dateTime(at, { dateStyle: 'medium', timeStyle: 'medium' })}>
          {format.dateTime(at, { dateStyle: 'medium', timeStyle: 'short' })}
        </time>
      </small>
    </li>
  )
}

/** Its name, which leads to it where it can still be opened. */
function Thing({ one: { action, thing, name } }: { one: Activity }) {
  const { frame, clientId } = useLibrary()
  if (!name) return null
  const [kind] = action.split('.')
  const isGone = action.endsWith('.purged')
  const search = {
    asset: kind === 'asset' ? thing : undefined,
    folder: kind === 'folder' ? thing : undefined,
  }
  if (!thing || isGone || (kind !== 'asset' && kind !== 'folder')) return <strong>{name}</strong>
  const to = frame === 'admin' ? '/clients/$clientId/assets' : '/portal/assets'
  return (
    <Link to={to} params={{ clientId }} search={search as never} className="access-link">
      {name}
    </Link>
  )
}
