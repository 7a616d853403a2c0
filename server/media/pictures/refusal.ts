import type { MediaVerdict } from '../../../contract/media-types.ts'

export type RefusalCode = MediaVerdict | 'object-missing'

/**
 * A refusal as a decoding process words it; `pool.ts` turns it into a `Problem`.
 * It stands alone because loading the contract's schemas would triple the time such a process needs to start.
 */
export class Refusal extends Error {
  readonly code: RefusalCode

  constructor(code: RefusalCode, detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.name = 'Refusal'
    this.code = code
  }
}

export const unreadable = (detail: string, cause?: unknown) =>
  new Refusal('unreadable-media', detail, { cause })

export const cutShort = () =>
  unreadable('The file is cut short: its end is missing. Copy or export it again, then upload it.')
