import { Button } from '@mantine/core'
import { Link2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Asset } from '../../contract/assets.ts'
import { useTargetName } from '../assets/fit-words.ts'
import { daysLeft } from '../assets/rights-end.ts'
import { Section } from '../assets/section.tsx'
import { useLibrary } from '../library/library.tsx'
import { partOf } from '../ui/part.ts'
import { PullGrantRow } from './pull-grant-row.tsx'
import { usePullGrants } from './pull-grants.ts'

const PullGrantDialog = partOf(() => import('./pull-grant-dialog.tsx'), 'PullGrantDialog')

/** From which addresses others can fetch one asset, and the way to make one. */
export function AssetPullGrants({ asset }: { asset: Asset }) {
  const t = useTranslations('pullGrants')
  const common = useTranslations('access')
  const nameOf = useTargetName()
  const { can } = useLibrary()
  const page = usePullGrants({ assetId: asset.assetId })
  const [making, setMaking] = useState(false)
  const grants = page.data?.pages.flatMap(({ pullGrants }) => pullGrants)
  const hasEnded = (daysLeft(asset.rightsExpireAt) ?? 0) < 0
  const mayMake = can('deliveries:write') && !asset.trashedAt && !hasEnded
  if (!grants || (!mayMake && grants.length === 0)) return null
  return (
    <Section title={t('label')} hint={t('hint')}>
      {grants.length > 0 && (
        <ul className="deliveries">
          {grants.map((grant) => (
            <PullGrantRow key={grant.pullGrantId} grant={grant}>
              <strong>{nameOf({ target: grant.target, name: grant.targetName })}</strong>
            </PullGrantRow>
          ))}
        </ul>
      )}
      {page.hasNextPage && (
        <Button variant="subtle" size="compact-sm" onClick={() => page.fetchNextPage()}>
          {common('showMore')}
        </Button>
      )}
      {mayMake && (
        <Button
          variant="default"
          size="sm"
          mt={8}
          leftSection={<Link2 size={16} />}
          onClick={() => setMaking(true)}
        >
          {t('create')}
        </Button>
      )}
      <Suspense>{making && <PullGrantDialog asset={asset} onClose={() => setMaking(false)} />}</Suspense>
    </Section>
  )
}
