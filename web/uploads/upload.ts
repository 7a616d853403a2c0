import { type MediaType, uploadVerdicts } from '../../contract/media-types.ts'
import type { Finalize, FinalizedAsset, TakenNames } from '../../contract/uploads.ts'
import type { Problem } from '../api.ts'

/** Where an upload can go from each state. What the tray offers and what the engine does are both read from here. */
const moves = {
  reading: { ready: 'queued', ask: 'asking', refuse: 'refused', cancel: 'gone' },
  /** A file of this name is in the folder already: the person is asked what to do. */
  asking: { ready: 'queued', cancel: 'gone' },
  queued: { start: 'sending', check: 'checking', pause: 'paused', cancel: 'gone' },
  sending: {
    sent: 'checking',
    pause: 'paused',
    lose: 'offline',
    fail: 'failed',
    refuse: 'refused',
    cancel: 'gone',
  },
  checking: {
    made: 'done',
    missing: 'queued',
    lose: 'offline',
    failCheck: 'unfinalized',
    fail: 'failed',
    refuse: 'refused',
  },
  offline: { resume: 'queued', pause: 'paused', cancel: 'gone' },
  paused: { resume: 'queued', cancel: 'gone' },
  failed: { retry: 'queued', cancel: 'gone' },
  unfinalized: { retry: 'queued', cancel: 'gone' },
  /** Begun before the page was loaded; its file has to be chosen again, unless all of it has arrived. */
  left: { resume: 'queued', cancel: 'gone' },
  refused: { dismiss: 'gone' },
  done: { failWords: 'undescribed', dismiss: 'gone' },
  /** In the library, but what was written about it meanwhile is not. */
  undescribed: { retryWords: 'done', dismiss: 'gone' },
  gone: {},
} as const

export type State = keyof typeof moves
type KeysOf<T> = T extends unknown ? keyof T : never
export type Move = KeysOf<(typeof moves)[State]>

/** The state a move leads to, or undefined where it cannot be made. */
export const after = (state: State, move: Move): State | undefined =>
  (moves[state] as Partial<Record<Move, State>>)[move]

export const can = (upload: Upload, move: Move) => after(upload.state, move) !== undefined

/** What a person may write about a file while it travels. */
export type About = Pick<Finalize, 'title' | 'altText' | 'tags' | 'allowedSurfaces'>

/** What of it is still to be saved, after this much was. */
export const stillUnsaved = (about: About, saved: About): About =>
  Object.fromEntries(Object.entries(about).filter(([field, value]) => value !== saved[field as keyof About]))

/** An asset of the same file name. */
export type Twin = TakenNames['taken'][number]

/** What becomes of a file whose name is taken. */
export type Answer = 'replace' | 'keep' | 'skip'

export interface Session {
  uploadSessionId: string
  uploadToken: string
  uploadUrl: string | null
  /** Null when the file goes in one piece. */
  partSizeBytes: number | null
}

/** These concern every file alike: the queue stops until somebody has looked. */
export const troubleCodes = [
  'storage-refused',
  'storage-unreachable',
  'storage-blocked',
  'storage-not-configured',
  'quota-exceeded',
] as const
export type TroubleCode = (typeof troubleCodes)[number]

/** The bytes themselves are the matter: trying again cannot help. */
export const verdictCodes = uploadVerdicts

interface Because<Code> {
  code: Code
  /** What the sentence about it mentions. */
  values?: Record<string, string | number>
  /** What the server said, where no word of ours covers it. */
  problem?: Problem
}

/** Stops every upload: a word of `uploads.trouble`. */
export type Trouble = Because<TroubleCode>

/** Why an upload stands still: a trouble, or a word of `uploads.failures` that concerns it alone. */
export type Failure =
  | Trouble
  | Because<
      | (typeof verdictCodes)[number]
      | 'empty'
      | 'unreadable-file'
      | 'storage-trouble'
      | 'expired'
      | 'folder-gone'
      | 'asset-gone'
      | 'forbidden'
      | 'other'
    >

export const isTrouble = (failure: Failure | null): failure is Trouble =>
  failure !== null && (troubleCodes as readonly string[]).includes(failure.code)

export interface Upload {
  readonly id: string
  readonly name: string
  readonly sizeBytes: number
  readonly lastModified: number
  readonly file: File | null
  readonly mimeType: MediaType | null
  readonly folderId: string | null
  /** The folders it lay in when it was dropped, to be made below `folderId`. */
  readonly path: readonly string[]
  readonly replaces: string | null
  /** The collection it is put into when it is an asset; null when it is there, or belongs in none. */
  readonly collectionId: string | null
  /** What has its name in the folder it goes to. */
  readonly twin: Twin | null
  readonly state: State
  readonly sentBytes: number
  /** What the store has for good: a pause falls back to it. */
  readonly arrivedBytes: number
  readonly session: Session | null
  /** All bytes are in the store: only finalization is left. */
  readonly isSent: boolean
  /** Written, but not saved in the library yet. */
  readonly about: About
  readonly failure: Failure | null
  readonly asset: FinalizedAsset | null
}

/** The same name, size and time: as near as a browser lets us say that two files are one. */
export const isSameFile = (
  a: Pick<Upload, 'name' | 'sizeBytes' | 'lastModified'>,
  b: Pick<Upload, 'name' | 'sizeBytes' | 'lastModified'>,
) => a.name === b.name && a.sizeBytes === b.sizeBytes && a.lastModified === b.lastModified

/** Bytes are on their way, or about to be: closing the page would stop them. */
export const isUnderWay = ({ state }: Upload) =>
  state === 'reading' ||
  state === 'asking' ||
  state === 'queued' ||
  state === 'sending' ||
  state === 'checking' ||
  state === 'offline'

export const isOver = ({ state }: Upload) =>
  state === 'done' || state === 'refused' || state === 'undescribed'

export const needsAttention = ({ state }: Upload) =>
  state === 'failed' || state === 'unfinalized' || state === 'refused' || state === 'undescribed'

export interface Totals {
  count: number
  /** Without what was refused. */
  wanted: number
  done: number
  underWay: number
  attention: number
  sentBytes: number
  sizeBytes: number
}

/** What was refused counts for no bytes: they never had to travel. */
export function totalsOf(uploads: readonly Upload[]): Totals {
  const totals: Totals = {
    count: 0,
    wanted: 0,
    done: 0,
    underWay: 0,
    attention: 0,
    sentBytes: 0,
    sizeBytes: 0,
  }
  for (const upload of uploads) {
    totals.count++
    if (upload.state === 'done' || upload.state === 'undescribed') totals.done++
    if (isUnderWay(upload)) totals.underWay++
    if (needsAttention(upload)) totals.attention++
    if (upload.state === 'refused') continue
    totals.wanted++
    totals.sentBytes += upload.isSent ? upload.sizeBytes : upload.sentBytes
    totals.sizeBytes += upload.sizeBytes
  }
  return totals
}
