import { Problem } from '../api.ts'
import { BlockedByPolicy, StoreRefusal } from './put.ts'
import { type Failure, type Upload, verdictCodes } from './upload.ts'

/** The file on the person's disk was moved, changed or taken away. */
export class UnreadableFile extends Error {}

/** Why an upload stands still, in a word the tray can explain. */
export function failureOf(error: unknown, upload: Upload): Failure {
  if (error instanceof UnreadableFile) return { code: 'unreadable-file' }
  if (error instanceof BlockedByPolicy) return { code: 'storage-blocked', values: { store: error.origin } }
  if (error instanceof StoreRefusal) return storeFailure(error.status)
  if (!(error instanceof Problem)) return { code: 'other' }

  const verdict = verdictCodes.find((code) => code === error.code)
  if (verdict) return { code: verdict }
  switch (error.code) {
    case 'storage-not-configured':
      return { code: error.code, values: { settings: error.params.settings ?? '' } }
    case 'quota-exceeded':
    case 'forbidden':
      return { code: error.code }
    case 'upload-expired':
    case 'upload-not-found':
      return { code: 'expired' }
    case 'not-found':
      return { code: upload.replaces ? 'asset-gone' : 'folder-gone' }
    default:
      return { code: 'other', problem: error }
  }
}

function storeFailure(status: number): Failure {
  if (status === 403) return { code: 'storage-refused' }
  if (status === 0) return { code: 'storage-unreachable' }
  return { code: 'storage-trouble', values: { status } }
}

/** Nothing about it would be different the next time. */
export const isFinal = ({ code }: Failure) =>
  code === 'unreadable-file' || code === 'asset-gone' || (verdictCodes as readonly string[]).includes(code)
