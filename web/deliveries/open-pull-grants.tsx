import { Link } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import type { PullGrant } from '../../contract/deliveries.ts'
import { useAsset } from '../assets/assets.ts'
import { useTargetName } from '../assets/fit-words.ts'
import { ShowMore } from '../ui/show-more.tsx'
import { PullGrantRow } from './pull-grant-row.tsx'
import { usePullGrants } from './pull-grants.ts'

/** All that others can fetch from this client's library now. */
export function OpenPullGrants() {
  const t = useTranslations('pullGrants')
  const page = usePullGrants({ state: 'open' })
  const grants = page.data?.pages.flatMap(({ pullGrants }) => pullGrants) ?? []
  if (grants.length === 0) return null
  return (
    <section className="recent" aria-labelledby="open-pull-grants">
      <div className="recent-head">
        <h3 id="open-pull-grants">{t('label')}</h3>
      </div>
      <p className="recent-hint">{t('openHint')}</p>
      <ul className="deliveries deliveries-page">
        {grants.map((grant) => (
          <OpenPullGrant key={grant.pullGrantId} grant={grant} />
        ))}
      </ul>
      <ShowMore list={page} />
    </section>
  )
}

function OpenPullGrant({ grant }: { grant: PullGrant }) {
  const t = useTranslations('deliveries')
  const nameOf = useTargetName()
  const { asset } = useAsset(grant.assetRef.split('@')[0]!)
  const title = asset?.title ?? t('goneAsset')
  return (
    <PullGrantRow grant={grant} assetTitle={title}>
      {asset ? (
        <Link
          to="/clients/$clientId/assets"
          params={{ clientId: grant.clientId }}
          search={{ folder: asset.folderId ?? undefined, asset: asset.assetId }}
        >
          <strong>{title}</strong>
        </Link>
      ) : (
        <strong>{title}</strong>
      )}
      <span className="delivery-to">→ {nameOf({ target: grant.target, name: grant.targetName })}</span>
    </PullGrantRow>
  )
}
