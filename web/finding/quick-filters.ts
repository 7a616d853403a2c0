import type { Place } from '../library/place.ts'

/** Those of most use, each a chip that is always in sight and switched on and off. */
export const quickFilters = [
  { type: 'image' },
  { type: 'video' },
  { surface: 'website' },
  { surface: 'social' },
  { surface: 'gbp' },
  { alt: 'missing' },
  { approval: 'pending' },
  { approval: 'approved' },
  { approval: 'changes-requested' },
  { rights: 'ending' },
  { rights: 'ended' },
] as const satisfies Partial<Place>[]
