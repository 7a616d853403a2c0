import type { Asset } from '../contract/assets.ts'
import type { Folder } from '../contract/folders.ts'
import type { Finalize, NewUploadSession, UploadSession } from '../contract/uploads.ts'
import { pixel } from './pictures.ts'

export interface Door {
  assets: string
  events: string
}

// biome-ignore lint/suspicious/noExplicitAny: tests read what the contract promises
type Body = any

export interface Answer {
  status: number
  headers: Headers
  body: Body
}

export type Person = ReturnType<typeof person>

/** Somebody who talks to the server over HTTP, and nothing else. */
export function person(
  url: string,
  credentials: Record<string, string>,
  door: Door = { assets: '', events: '' },
  id = '',
) {
  async function call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...credentials,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = /json/.test(response.headers.get('content-type') ?? '')
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text ? JSON.parse(text) : text,
    }
  }

  const me = {
    url,
    credentials,
    door,
    /** The id of the user or key. */
    id,
    at: (other: Door) => person(url, credentials, other, id),
    call,
    get: (path: string, headers?: Record<string, string>) => call('GET', path, undefined, headers),
    post: (path: string, body?: unknown, headers?: Record<string, string>) =>
      call('POST', path, body, headers),
    put: (path: string, body?: unknown, headers?: Record<string, string>) => call('PUT', path, body, headers),
    patch: (path: string, body?: unknown, headers?: Record<string, string>) =>
      call('PATCH', path, body, headers),
    delete: (path: string, body?: unknown, headers?: Record<string, string>) =>
      call('DELETE', path, body, headers),
    fetch: (path: string, init: RequestInit = {}) =>
      fetch(url + path, {
        ...init,
        headers: { ...credentials, ...(init.headers as Record<string, string>) },
      }),

    opensUpload: (file: Partial<NewUploadSession> = {}, headers?: Record<string, string>) =>
      call(
        'POST',
        `${door.assets}/upload-session`,
        { originalFilename: 'logo.png', mimeType: 'image/png', expectedSizeBytes: pixel.length, ...file },
        headers,
      ),
    finalizes: (uploadToken: string, words: Partial<Finalize> = {}) =>
      call('POST', `${door.assets}/upload-session/finalize`, { uploadToken, ...words }),

    /** Session, PUT, finalize: the asset. */
    async uploads(
      bytes: Uint8Array = pixel,
      { session = {}, words = {} }: { session?: Partial<NewUploadSession>; words?: Partial<Finalize> } = {},
    ): Promise<Asset> {
      const opened = await me.opensUpload({ expectedSizeBytes: bytes.length, ...session })
      await puts(opened.body as UploadSession, bytes)
      const { status, body } = await me.finalizes(opened.body.uploadToken, words)
      if (status !== 201) throw new Error(`Upload failed: ${status} ${JSON.stringify(body)}`)
      return body
    },
    async makesFolder(name: string, parentId?: string | null): Promise<Folder> {
      const { status, body } = await call('POST', `${door.assets}/folders`, {
        name,
        ...(parentId && { parentId }),
      })
      if (status !== 201) throw new Error(`No folder: ${status} ${JSON.stringify(body)}`)
      return body
    },
    lists: (query: Record<string, string | number | boolean> = {}) =>
      call(
        'GET',
        `${door.assets}?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`,
      ),
    reads: (assetId: string) => call('GET', `${door.assets}/${assetId}`),
    edits: (assetId: string, change: object, headers?: Record<string, string>) =>
      call('PATCH', `${door.assets}/${assetId}`, change, headers),
    trashes: (assetId: string) => call('DELETE', `${door.assets}/${assetId}`),
    restores: (assetId: string) => call('POST', `${door.assets}/${assetId}/restore`),
    changesFolder: (folderId: string, change: object, headers?: Record<string, string>) =>
      call('PATCH', `${door.assets}/folders`, { folderId, ...change }, headers),
    deletesFolder: (folderId: string) => call('DELETE', `${door.assets}/folders`, { folderId }),
  }
  return me
}

export async function puts(
  { uploadUrl }: Pick<UploadSession, 'uploadUrl'>,
  bytes: Uint8Array,
): Promise<Response> {
  const put = () => fetch(uploadUrl!, { method: 'PUT', body: Buffer.from(bytes) })
  // The store may be closing the very connection that was kept for this: as browsers and agents do, ask again.
  return put().catch(put)
}
