import type {
  GuestComment,
  GuestDecision,
  GuestReview,
  NewGuestComment,
  Share,
  SharedAsset,
  SharedAssetPage,
} from '../../contract/shares.ts'
import { api, query, send } from '../api.ts'
import { newKey } from '../new-key.ts'

/** The address of this link: the page stands on it. */
const base = () => location.pathname.replace(/\/+$/, '')

const asGuest = { waitForSignIn: false }

export const openShare = (password?: string) =>
  api.post<Share>(`${base()}/open`, password === undefined ? {} : { password }, asGuest)

export const readAssets = (cursor?: string | null) =>
  api.get<SharedAssetPage>(`${base()}/assets${query({ limit: 100, cursor: cursor ?? undefined })}`, asGuest)

const ofAsset = ({ assetId }: SharedAsset, what: string) => `${base()}/assets/${assetId}/${what}`

export const previewUrl = (asset: SharedAsset, size: 'card' | 'large') =>
  `${ofAsset(asset, 'preview')}?size=${size}`
export const filmUrl = (asset: SharedAsset) => ofAsset(asset, 'film')
export const downloadUrl = (asset: SharedAsset) => ofAsset(asset, 'download')
export const zipUrl = () => `${base()}/download`

export const readReview = (asset: SharedAsset) => api.get<GuestReview>(ofAsset(asset, 'review'), asGuest)

export const decideOn = (asset: SharedAsset, decision: Omit<GuestDecision, 'version'>) =>
  send<GuestReview>('PUT', ofAsset(asset, 'approval'), {
    ...asGuest,
    body: { ...decision, version: asset.version },
  })

export const commentOn = (asset: SharedAsset, comment: Omit<NewGuestComment, 'version'>) =>
  api.post<GuestComment>(
    ofAsset(asset, 'comments'),
    { ...comment, version: asset.version },
    { ...asGuest, idempotencyKey: newKey() },
  )
