import { useFormatter, useTranslations } from 'use-intl'
import type { Asset } from '../../contract/assets.ts'
import { useActivity } from '../activity/activity.ts'
import { useActor, useChanged } from '../activity/activity-words.ts'
import { Section } from './section.tsx'

const newest = 8

/** Who brought an asset, changed it or took a copy, the newest first. */
export function History({ asset }: { asset: Asset }) {
  const t = useTranslations('activity')
  const actions = useTranslations('audit.actions')
  const format = useFormatter()
  const actor = useActor()
  const changed = useChanged()
  const page = useActivity({ thing: asset.assetId }, asset.updatedAt)
  const all = page.data?.pages[0]?.activity ?? []
  // Whoever brought it is told however much happened since.
  const activity = all.filter(({ action }, place) => place < newest || action === 'asset.created')
  if (activity.length === 0) return null
  return (
    <Section title={t('title')}>
      <ul className="history">
        {activity.map((one) => (
          <li key={one.activityId}>
            {actions(one.action)}
            {changed(one) && `: ${changed(one)}`}
            <small>
              {actor(one)} ·{' '}
              <time dateTime={one.at}>
                {format.dateTime(new Date(one.at), { dateStyle: 'medium', timeStyle: 'short' })}
              </time>
            </small>
          </li>
        ))}
      </ul>
    </Section>
  )
}
