/** What the package takes of the contract. `build.ts` prints it as plain types, so that whoever installs it needs nothing else. */
export type { Me } from '../contract/access.ts'
export type { Asset, AssetChange, AssetPage, Batch, BatchResult, Fit, Fits } from '../contract/assets.ts'
export type {
  Connection,
  Connections,
  Delivery,
  DeliveryPage,
  DeliveryQuery,
  NewDelivery,
  NewPullGrant,
  PullGrant,
  PullGrantPage,
  PullGrantQuery,
  PullGrantWithUrl,
} from '../contract/deliveries.ts'
export type { EventOf, EventType, LibraryEvent } from '../contract/events.ts'
export type { FitReason } from '../contract/fit-reasons.ts'
export type { Folder, FolderChange, FolderTree, NewFolder } from '../contract/folders.ts'
export { isUploadVerdict, type PreviewSize, typeOfEnding } from '../contract/media-types.ts'
export type { Pick, PickQuery, PickReason, Picks } from '../contract/picks.ts'
export type { ProblemCode } from '../contract/problems.ts'
export type {
  Plan,
  PlanRequest,
  RefRefusal,
  RefResolution,
  RefSwap,
  RefsSwapped,
  Resolve,
  Resolved,
  Use,
  UseInput,
  UseKind,
  UsePage,
  UseQuery,
} from '../contract/references.ts'
export type { ReviewAsked, ReviewRequest } from '../contract/review.ts'
export type { AssetQuery } from '../contract/search.ts'
export type {
  Finalize,
  FinalizedAsset,
  NewUploadSession,
  PartUrls,
  UploadProgress,
  UploadSession,
} from '../contract/uploads.ts'
export type { WebhookMessage } from '../contract/webhooks.ts'
