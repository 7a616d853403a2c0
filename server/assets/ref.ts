import { isId } from '../ids.ts'

export interface Ref {
  assetId: string
  /** Set when the ref pins a version. */
  version?: number
}

/** Reads `asset_…` or `asset_…@N`; undefined for anything else. */
export function parseRef(assetRef: string): Ref | undefined {
  const [, assetId, pin] = /^([^@]*)(?:@([1-9]\d{0,8}))?$/.exec(assetRef) ?? []
  if (!isId('asset', assetId)) return undefined
  return pin ? { assetId, version: Number(pin) } : { assetId }
}

export const refOf = ({ assetId, version }: Ref) =>
  version === undefined ? assetId : pinnedRef(assetId, version)

export const pinnedRef = (assetId: string, version: number) => `${assetId}@${version}`
