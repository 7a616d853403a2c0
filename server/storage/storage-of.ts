import { Readable } from 'node:stream'
import { isKey, isKeyPrefix } from './keys.ts'
import type { Storage } from './storage.ts'

/** Speaks of objects as `Storage` does, but by whole keys: what a driver brings. */
export type Bucket = Storage

const clientIdShape = /^client_[0-9a-hjkmnp-tv-z]{26}$/
export const isClientId = (text: string) => clientIdShape.test(text)
export const clientsPrefix = 'clients/'

/** Which client's object a whole key names. */
export function objectAt(key: string): { clientId: string; key: string } | undefined {
  const [, clientId = '', rest = ''] = /^clients\/([^/]+)\/(.+)$/.exec(key) ?? []
  return isClientId(clientId) ? { clientId, key: rest } : undefined
}

export function storageOf(bucket: Bucket, clientId: string): Storage {
  if (!isClientId(clientId)) throw new Error(`Not a client id: ${JSON.stringify(clientId)}`)

  const prefix = `${clientsPrefix}${clientId}/`
  const at = (key: string) => {
    if (!isKey(key)) throw new Error(`Not a storage key: ${JSON.stringify(key)}`)
    return prefix + key
  }

  return {
    presignPut: async (key, permit) => bucket.presignPut(at(key), permit),
    head: async (key) => {
      const found = await bucket.head(at(key))
      return found && { ...found, key }
    },
    read: async (key, range) => bucket.read(at(key), range),
    scan: (key, range, signal) => bucket.scan(at(key), range, signal),
    copy: async (from, to) => bucket.copy(at(from), at(to)),
    join: async (parts, to) => bucket.join(parts.map(at), at(to)),
    async put(key, body, options) {
      try {
        return await bucket.put(at(key), body, options)
      } finally {
        // A refusal may come before the first byte was read; the file or socket behind it must not stay open.
        if (body instanceof Readable) body.destroy()
      }
    },
    delete: async (keys) => bucket.delete(keys.map(at)),
    async *list(start) {
      if (!isKeyPrefix(start)) throw new Error(`Not a key prefix: ${JSON.stringify(start)}`)
      for await (const found of bucket.list(prefix + start)) {
        yield { ...found, key: found.key.slice(prefix.length) }
      }
    },
    localPath: (key) => bucket.localPath(at(key)),
  }
}
