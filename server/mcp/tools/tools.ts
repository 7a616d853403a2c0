import type { Tool } from '../tool.ts'
import { deliverAsset } from './deliver-asset.ts'
import { getUploadInstructions } from './get-upload-instructions.ts'
import { listConnectionsTool } from './list-connections.ts'
import { listFolders } from './list-folders.ts'
import { lookAtAsset } from './look-at-asset.ts'
import { createPullGrantTool, listPullGrantsTool, revokePullGrantTool } from './pull-grants.ts'
import { recordUseTool } from './record-use.ts'
import { requestReviewTool } from './request-review.ts'
import { resolveAssetRefs } from './resolve-asset-refs.ts'
import { searchAssets } from './search-assets.ts'

export const tools: Tool[] = [
  searchAssets,
  lookAtAsset,
  listFolders,
  resolveAssetRefs,
  requestReviewTool,
  recordUseTool,
  listConnectionsTool,
  deliverAsset,
  createPullGrantTool,
  listPullGrantsTool,
  revokePullGrantTool,
  getUploadInstructions,
]
