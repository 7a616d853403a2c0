import { diskFiles } from './disk-files.ts'
import { diskRoutes } from './disk-routes.ts'
import { putPermits } from './put-permits.ts'
import type { ObjectStore } from './storage.ts'
import { type Bucket, clientsPrefix, isClientId, storageOf } from './storage-of.ts'

export interface DiskOptions {
  folder: string
  /** While this folder is there, what is deleted stays in it. */
  keepsDeletedIn?: string
  /** Where browsers reach this server: presigned URLs lead there. */
  publicUrl: string
  secret: string
  /** Whose pages may PUT from a browser. */
  allowedOrigins?: string[]
  now?: () => number
}

export function diskStore(options: DiskOptions): ObjectStore {
  const { folder, publicUrl, secret, now = Date.now } = options
  const allowedOrigins = options.allowedOrigins ?? [new URL(publicUrl).origin]

  const files = diskFiles(folder, now, options.keepsDeletedIn)
  const permits = putPermits(secret, now)

  const bucket: Bucket = {
    ...files,
    presignPut: async (key, permit) =>
      `${publicUrl.replace(/\/$/, '')}/objects/${key}?${permits.sign(key, permit)}`,
    localPath: files.pathOf,
  }

  return {
    kind: 'disk',
    uploadOrigin: new URL(publicUrl).origin,
    storageOf: (clientId) => storageOf(bucket, clientId),
    async *clientIds() {
      yield* (await files.foldersIn(clientsPrefix)).filter(isClientId)
    },
    routes: (mayPut) => diskRoutes({ permits, files, mayPut, allowedOrigins }),
    check: files.check,
    close: files.close,
  }
}
