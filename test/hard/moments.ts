/** Every step of an upload and what follows it, in their order. */
export const moments = [
  'URL signed',
  'session made',
  'bytes half sent',
  'bytes stored',
  'claimed',
  'copied',
  'verified',
  'half committed',
  'committed',
  'staging deleted',
  'preview drawn',
  'preview stored',
  'delivered',
] as const
export type Moment = (typeof moments)[number]
