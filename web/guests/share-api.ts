import type {
  GuestComment,
  GuestDecision,
  GuestReview,
  NewGuestComment,
  Share,
  SharedAsset,
  SharedAssetPage,
} from '../../contract/shares.ts'
import { api, Problem, query, send } from '../api.ts'
import { newKey } from '../new-key.ts'

/** The address of this link: the page stands on it. */
const base = () => location.pathname.replace(/\/+$/, '')

const asGuest = { waitForSignIn: false }

export const openShare = (password?: string) =>
  api.post<Share>(`${base()}/open`, password === undefined ? {} : { password }, asGuest)

const refusals = new EventTarget()

/** Whatever is refused, the link may have ended meanwhile. */
export function onRefusal(look: () => void) {
  refusals.addEventListener('refusal', look)
  return () => refusals.removeEventListener('refusal', look)
}

const reportRefusal = (status: number) =>
  (status === 404 || status === 401) && refusals.dispatchEvent(new Event('refusal'))

const pause = 5000
let missedAt = Number.NEGATIVE_INFINITY

/** A picture does not say why it is missing: one look is enough for all that are missed together. */
export function reportMissing() {
  if (performance.now() - missedAt < pause) return
  missedAt = performance.now()
  reportRefusal(404)
}

const heard = <T>(answer: Promise<T>) =>
  answer.catch((error) => {
    if (error instanceof Problem) reportRefusal(error.status)
    throw error
  })

/** Whether a file would come; copies are made for it. */
export async function isGiven(url: string): Promise<boolean> {
  const answer = await fetch(url, { method: 'HEAD' }).catch(() => undefined)
  if (answer) reportRefusal(answer.status)
  return answer?.ok ?? false
}

export const readAssets = (unanswered: boolean, cursor?: string | null) =>
  heard(
    api.get<SharedAssetPage>(
      `${base()}/assets${query({ limit: 100, cursor: cursor ?? undefined, unanswered: unanswered || undefined })}`,
      asGuest,
    ),
  )

const ofAsset = ({ assetId }: SharedAsset, what: string) => `${base()}/assets/${assetId}/${what}`

export const previewUrl = (asset: SharedAsset, size: 'card' | 'large') =>
  `${ofAsset(asset, 'preview')}?size=${size}`
export const filmUrl = (asset: SharedAsset) => ofAsset(asset, 'film')
export const downloadUrl = (asset: SharedAsset) => ofAsset(asset, 'download')
export const zipUrl = () => `${base()}/download`

export const readReview = (asset: SharedAsset) =>
  heard(api.get<GuestReview>(ofAsset(asset, 'review'), asGuest))

export const decideOn = (asset: SharedAsset, decision: Omit<GuestDecision, 'version'>) =>
  heard(
    send<GuestReview>('PUT', ofAsset(asset, 'approval'), {
      ...asGuest,
      body: { ...decision, version: asset.version },
    }),
  )

export const commentOn = (asset: SharedAsset, comment: Omit<NewGuestComment, 'version'>) =>
  heard(
    api.post<GuestComment>(
      ofAsset(asset, 'comments'),
      { ...comment, version: asset.version },
      { ...asGuest, idempotencyKey: newKey() },
    ),
  )
