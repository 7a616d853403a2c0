import { Button } from '@mantine/core'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import type { Asset } from '../../contract/assets.ts'
import { useActivity } from '../activity/activity.ts'
import { useActor } from '../activity/activity-words.ts'
import { ShowMore } from '../ui/show-more.tsx'

/** What was asked and decided before what holds now, with what was said, the newest first. */
export function EarlierDecisions({ asset }: { asset: Asset }) {
  const t = useTranslations('review')
  const actions = useTranslations('audit.actions')
  const format = useFormatter()
  const actor = useActor()
  const [isOpen, setOpen] = useState(false)
  const page = useActivity({ thing: asset.assetId, action: 'review' }, asset.updatedAt)
  const all = page.data?.pages.flatMap(({ activity }) => activity) ?? []
  // Of a version that is the current one again, nothing that holds is said here.
  const earlier = all[0]?.decision?.version === asset.version ? all.slice(1) : all
  if (earlier.length === 0) return null
  return (
    <>
      <Button
        variant="subtle"
        size="compact-sm"
        className="decisions-earlier"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {t(isOpen ? 'hideEarlier' : 'showEarlier')}
      </Button>
      {isOpen && (
        <>
          <ol className="decisions" aria-label={t('earlier')}>
            {earlier.map((one) => (
              <li key={one.activityId} className="decision-state">
                <strong>{actions(one.action)}</strong>
                {one.decision && <span>{t('ofVersion', { version: one.decision.version })}</span>}
                <small>
                  {actor(one)} ·{' '}
                  <time dateTime={one.at}>
                    {format.dateTime(new Date(one.at), { dateStyle: 'medium', timeStyle: 'short' })}
                  </time>
                </small>
                {one.decision?.note && <p>{one.decision.note}</p>}
              </li>
            ))}
          </ol>
          <ShowMore list={page} />
        </>
      )}
    </>
  )
}
