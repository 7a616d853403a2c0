import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type S3Client,
} from '@aws-sdk/client-s3'

export interface Target {
  Bucket: string
  Key: string
}

/** Sends one part to where it is told, and says the part's ETag. */
export type Part = (place: Target & { UploadId: string; PartNumber: number }) => Promise<string | undefined>

interface Assembly {
  /** Milliseconds for putting the parts together. */
  requestTimeout: number
  ifAbsent?: boolean
}

const atOnce = 4

/** One object out of parts that are sent or copied a few at a time; on failure nothing of it stays. */
export async function assemble(
  client: S3Client,
  target: Target,
  parts: Iterable<Part> | AsyncIterable<Part>,
  { requestTimeout, ifAbsent }: Assembly,
): Promise<void> {
  const { UploadId = '' } = await client.send(new CreateMultipartUploadCommand(target))
  const upload = { ...target, UploadId }
  try {
    const sent = await sendAll(parts, upload)
    await client.send(
      new CompleteMultipartUploadCommand({
        ...upload,
        MultipartUpload: { Parts: sent },
        IfNoneMatch: ifAbsent ? '*' : undefined,
      }),
      { requestTimeout },
    )
  } catch (error) {
    // Parts of an abandoned upload are billed, and no listing shows them.
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => {})
    throw error
  }
}

async function sendAll(parts: Iterable<Part> | AsyncIterable<Part>, upload: Target & { UploadId: string }) {
  const sent: { PartNumber: number; ETag: string | undefined }[] = []
  const queue = numbered(parts)

  // They draw from one generator: the first that throws ends it for all.
  const sender = async () => {
    for await (const { PartNumber, part } of queue) {
      sent[PartNumber - 1] = { PartNumber, ETag: await part({ ...upload, PartNumber }) }
    }
  }
  const outcomes = await Promise.allSettled(Array.from({ length: atOnce }, sender))
  const failure = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failure) throw failure.reason

  return sent
}

async function* numbered(parts: Iterable<Part> | AsyncIterable<Part>) {
  let PartNumber = 0
  for await (const part of parts) yield { PartNumber: ++PartNumber, part }
}
