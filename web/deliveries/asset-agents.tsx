import type { Asset } from '../../contract/assets.ts'
import { Rights } from '../assets/rights.tsx'
import { useLibrary } from '../library/library.tsx'
import { AssetDeliveries } from './asset-deliveries.tsx'
import { AssetPullGrants } from './asset-pull-grants.tsx'
import './deliveries.css'

/** What agents go by: whether an asset may be used, and where it has been delivered. */
export function AssetAgents({ asset }: { asset: Asset }) {
  const { frame, can } = useLibrary()
  return (
    <>
      <Rights asset={asset} mayEdit={can('assets:write') && !asset.trashedAt} />
      {frame === 'admin' && <AssetDeliveries asset={asset} />}
      {frame === 'admin' && <AssetPullGrants asset={asset} />}
    </>
  )
}
