import { S3ServiceException } from '@aws-sdk/client-s3'
import { objectMissing, Problem, storageRefuses, storageUnavailable } from '../problems.ts'
import { BrokenBody } from './exactly.ts'

export const statusOf = (error: unknown) =>
  error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined

export const isAbsence = (error: unknown) =>
  error instanceof S3ServiceException && (error.name === 'NoSuchKey' || error.name === 'NotFound')

/** No answer, or not in time. */
export const isSilence = (error: unknown) => error instanceof Error && error.name === 'TimeoutError'

/**
 * What the store answered, in our words. A request it finds faulty is our own bug and stays as it is; all
 * else (no answer, overload, wrong keys, wrong bucket) is a store out of reach, with the cause kept.
 */
export function inOurWords(error: unknown): unknown {
  if (error instanceof Problem || error instanceof BrokenBody) return error
  if (isAbsence(error)) return objectMissing(error)
  if (statusOf(error) === 416) {
    return new Problem('range-not-satisfiable', 'The range starts behind the end of the file.', {
      cause: error,
    })
  }
  const status = statusOf(error)
  if (error instanceof Error && error.name === 'NoSuchBucket') return noBucket(error)
  if (status === 401 || status === 403) return keyRefused(error)
  return isOurFault(error) ? error : storageUnavailable(error)
}

export const noBucket = (cause: unknown) =>
  storageRefuses(
    'The object store has no such bucket. An administrator has to make it, or to correct STORAGE_BUCKET_NAME.',
    cause,
  )

const keyRefused = (cause: unknown) =>
  storageRefuses(
    'The object store refuses our key. An administrator has to correct STORAGE_ACCESS_KEY_ID and STORAGE_SECRET_ACCESS_KEY, or to give the key its rights to the bucket.',
    cause,
  )

const faultsOfOthers = [401, 403, 408, 429]
// NoSuchUpload: the answer to a completion was lost, and it was asked for again. A retry from the start helps.
const namesOfOthersFaults = ['NoSuchBucket', 'NoSuchUpload']

function isOurFault(error: unknown): boolean {
  const status = statusOf(error)
  if (status === undefined || status < 400 || status >= 500) return false
  return !faultsOfOthers.includes(status) && !namesOfOthersFaults.includes((error as Error).name)
}
