/** How the rows and the objects of a library can disagree. */
export const faultKinds = {
  'missing-object': 'a row promises a file that is not in the store',
  'wrong-size': 'the file has another size than its row says',
  'wrong-bytes': 'the file has other bytes than those that were verified',
  'orphan-object': 'no row knows of the object; sweep removes it',
  'orphan-row': 'an asset’s row stands without its file’s row, or contradicts it',
  'wrong-count': 'what the client is said to store is not what it stores',
  'no-checksum': 'its checksum is not known, so its bytes cannot be compared; sweep queues that',
  'no-previews': 'it waits for previews that no job is making; sweep queues one',
  'unknown-client': 'objects of a client that the database does not know',
} as const
export type FaultKind = keyof typeof faultKinds

export interface Fault {
  kind: FaultKind
  clientId: string
  /** The object's key within the client's part of the bucket, or the asset's id. */
  subject: string
  detail: string
}
