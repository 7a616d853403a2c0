import type { Tool } from '../tool.ts'
import { deliverAsset } from './deliver-asset.ts'
import { editAssetTool } from './edit-asset.ts'
import { listLibrary } from './list-library.ts'
import { lookAtAsset } from './look-at-asset.ts'
import { organiseAssets } from './organise-assets.ts'
import { pickAssetsTool } from './pick-assets.ts'
import { pullGrant } from './pull-grant.ts'
import { recordUseTool } from './record-use.ts'
import { requestReviewTool } from './request-review.ts'
import { resolveAssetRefs } from './resolve-asset-refs.ts'
import { searchAssets } from './search-assets.ts'
import { uploadAsset } from './upload-asset.ts'

/** Twelve at most, in the order of a usual job: a model chooses worse among more, and clients keep the list by its bytes. */
export const tools: Tool[] = [
  searchAssets,
  pickAssetsTool,
  lookAtAsset,
  resolveAssetRefs,
  listLibrary,
  editAssetTool,
  organiseAssets,
  uploadAsset,
  requestReviewTool,
  recordUseTool,
  deliverAsset,
  pullGrant,
]
