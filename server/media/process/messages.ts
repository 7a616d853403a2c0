import type { Limits } from '../pictures/inspection.ts'
import type { RefusalCode } from '../pictures/refusal.ts'
import type { Tasks } from './tasks.ts'

/** What the parent and a decoding process say to each other. One task at a time. */
export type ToProcess =
  | {
      say: 'task'
      kind: keyof Tasks
      input: unknown
      source: { sizeBytes: number; path?: string | undefined }
      limits: Limits
    }
  | { say: 'bytes'; ask: number; bytes: Uint8Array }
  | { say: 'no-bytes'; ask: number }

export type FromProcess =
  | { say: 'ready' }
  | { say: 'want'; ask: number; want: Want }
  | { say: 'result'; result: unknown; residentMb: number }
  | {
      say: 'refusal'
      code: RefusalCode
      detail: string
      because: string
      residentMb: number
      isLast: boolean
    }

/** What only the parent can do: read from the store, start an ffmpeg, sign, keep what was made, tell how far it is. */
export type Want =
  | { what: 'range'; start: number; end: number }
  | { what: 'frame'; seconds: number; side: number }
  | { what: 'signature'; claim: Uint8Array }
  | { what: 'write'; position: number; bytes: Uint8Array }
  | { what: 'progress'; share: number }
