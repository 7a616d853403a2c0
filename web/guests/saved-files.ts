import type { GuestFileProgress } from '../../contract/upload-requests.ts'
import { isProblem } from '../api.ts'
import { bytesOfParts } from '../uploads/parts.ts'
import { savedUploads } from '../uploads/saved-uploads.ts'
import { readProgress } from './request-api.ts'
import type { Begun } from './send-file.ts'

/** What this browser remembers of a file that it has sent by this link, or begun to send. */
export interface SavedFile extends Begun {
  name: string
  sizeBytes: number
  lastModified: number
  sender: string
}

/** By a part of the address that opens nothing. */
const owner = `guest:${location.pathname.replace(/\/+$/, '').slice(-8)}`
export const savedFiles = savedUploads<SavedFile>(owner)

type Chosen = Omit<SavedFile, keyof Begun>

/** What was chosen in this tab, and of which nothing is sent yet. */
export const chosenFiles = {
  all: (): Chosen[] => JSON.parse(sessionStorage.getItem(owner) ?? '[]'),
  keep: (chosen: Chosen[]) => sessionStorage.setItem(owner, JSON.stringify(chosen)),
}

/** What is said of the files, as far as it is written. */
export const keptNote = {
  read: () => sessionStorage.getItem(`${owner}:note`) ?? '',
  keep: (note: string) => sessionStorage.setItem(`${owner}:note`, note),
}

export type LeftBehind = { saved: SavedFile } & (
  | { state: 'left'; sentBytes: number }
  /** All of it is there; nobody has said so. */
  | { state: 'arrived' }
  | { state: 'sent' }
  | { state: 'declined'; note: string }
)

/** What is to be said of earlier visits: what was sent or not sent to its end, and what was declined. */
export async function leftBehind(): Promise<LeftBehind[]> {
  const left: LeftBehind[] = []
  for (const saved of await savedFiles.leftBehind()) {
    const progress = await readProgress(saved.uploadToken).catch((error) =>
      isProblem(error, 'upload-not-found') ? null : undefined,
    )
    if (progress === undefined) continue // nobody can say now
    const said = progress && whatIsLeft(saved, progress)
    if (said) left.push(said)
    else savedFiles.forget(saved.uploadSessionId)
  }
  return left
}

function whatIsLeft(
  saved: SavedFile,
  { status, multipart, note }: GuestFileProgress,
): LeftBehind | undefined {
  if (status === 'uploaded') return { saved, state: 'arrived' }
  if (status === 'waiting') return { saved, state: 'sent' }
  if (status === 'declined') return { saved, state: 'declined', note: note ?? '' }
  if (status !== 'awaiting-upload') return undefined
  const sentBytes = multipart
    ? bytesOfParts(
        { sizeBytes: saved.sizeBytes, partSizeBytes: multipart.partSizeBytes },
        multipart.uploadedPartNumbers,
      )
    : 0
  return { saved, state: 'left', sentBytes }
}
