import type { Library } from '../library/library.tsx'

/** The page of what is in review. */
export const reviewsOf = ({ frame, clientId }: Library) => ({
  to: frame === 'admin' ? ('/clients/$clientId/review' as const) : ('/portal/review' as const),
  params: { clientId },
})

let lookedAt: string | undefined

/** Whoever goes back to the list finds the keyboard where they were. */
export function noteLookedAt(assetId: string): void {
  lookedAt = assetId
}

export function takeLookedAt(): string | undefined {
  const last = lookedAt
  lookedAt = undefined
  return last
}
