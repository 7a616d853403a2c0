import type { Place } from './place.ts'

/** One link for everybody: who belongs to the client is led on from there to the portal. */
export function linkTo(clientId: string, place: Pick<Place, 'folder' | 'asset'>): string {
  const link = new URL(`/app/clients/${clientId}/assets`, location.origin)
  for (const [name, value] of Object.entries(place)) if (value) link.searchParams.set(name, value)
  return link.href
}
