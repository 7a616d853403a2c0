import type { AssetRow } from './asset.ts'

/** From then on an asset is neither used nor delivered. */
export const rightsHaveEnded = ({ rights_expire_at: end }: Pick<AssetRow, 'rights_expire_at'>): boolean =>
  end !== null && end <= new Date()
