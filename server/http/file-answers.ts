import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { exactly } from '../storage/exactly.ts'
import type { ByteRange } from '../storage/storage.ts'
import { askedAboutEachTime, matches } from './not-modified.ts'
import { requestedRange } from './ranges.ts'
import { sendChunks } from './send-chunks.ts'

interface FileHead {
  sizeBytes: number
  mimeType: string
  etag: string
  filename: string
  disposition: 'inline' | 'attachment'
  /** Told before the first byte goes; not where somebody only asks, or goes on with what was begun before. */
  begins?(): Promise<unknown>
}

/** What any route that sends a file may answer instead. */
export const fileRefusals = [
  'not-found',
  'range-not-satisfiable',
  'object-missing',
  'storage-unavailable',
] as const

export interface FileAnswer extends FileHead {
  open(range: ByteRange | undefined): Promise<Readable>
  /** All of it at once, where it is small and at hand. */
  whole?(): Promise<Uint8Array | undefined>
}

/** One that may take long to send: in chunks, each of which may overwrite the one before. */
export interface LongFile extends FileHead {
  scan(range: ByteRange | undefined, signal: AbortSignal): AsyncIterable<Uint8Array>
}

/** Sends a file of ours: whole, one range of it, or just the word that it has not changed. */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: FileAnswer | LongFile,
): Promise<FastifyReply> {
  reply.headers({
    etag: file.etag,
    'cache-control': askedAboutEachTime,
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'same-origin',
  })
  if (matches(request.headers['if-none-match'], file.etag)) return reply.code(304).send()

  const ifRange = request.headers['if-range']
  const range =
    ifRange && ifRange !== file.etag ? undefined : requestedRange(request.headers.range, file.sizeBytes)
  const length = range ? range.end - range.start + 1 : file.sizeBytes
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${file.sizeBytes}`)
  reply.headers({
    'content-type': file.mimeType,
    'content-length': length,
    'content-disposition': contentDisposition(file.disposition, file.filename),
  })
  // A stream, for of anything else Fastify would tell the length it has now, which is none.
  if (request.method === 'HEAD') return reply.send(Readable.from([]))
  if (!range || range.start === 0) await file.begins?.()

  // The next answer on this connection begins where this one was said to end, whatever the store holds.
  if ('scan' in file) return sendChunks(reply, (signal) => exactly(length, file.scan(range, signal)))
  const whole = range ? undefined : await file.whole?.()
  if (whole) return reply.send(whole)
  const body = await file.open(range)
  // A reader that leaves early must not keep the store's stream open.
  reply.raw.once('close', () => body.destroy())
  return reply.send(Readable.from(exactly(length, body), { objectMode: false }))
}

/** RFC 6266: a plain name for all, the true one for those who read UTF-8. */
export function contentDisposition(kind: 'inline' | 'attachment', filename: string): string {
  const safe = filename
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '')
    .replace(/[/\\]/g, '_')
    .trim()
  const short = shorten(safe || 'file')
  const ascii = short.replace(/[^\x20-\x7e]/g, '_').replace(/["%]/g, '_')
  const encoded = encodeURIComponent(short.toWellFormed()).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

// No file system takes more than 255 bytes; the ending says what the file is, so it stays.
function shorten(name: string): string {
  const ending = /\.[A-Za-z0-9]{1,8}$/.exec(name)?.[0] ?? ''
  let stem = [...name.slice(0, name.length - ending.length)]
  while (Buffer.byteLength(stem.join('') + ending) > 200)
    stem = stem.slice(0, Math.max(1, Math.floor(stem.length * 0.9)))
  return stem.join('') + ending
}
