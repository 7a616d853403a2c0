import { Readable } from 'node:stream'
import { contentDisposition } from '../../http/file-answers.ts'
import type { Content } from './target.ts'

/** A form with a file at its end. A field that is no text goes as JSON. */
export function multipart(
  boundary: string,
  fields: Record<string, string | object>,
  { name, filename, content }: { name: string; filename: string; content: Content },
): Content {
  const disposition = contentDisposition('attachment', filename).replace(
    'attachment',
    `form-data; name="${name}"`,
  )
  const before = Object.entries(fields).map(
    ([field, value]) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${field}"\r\n` +
      (typeof value === 'string'
        ? `\r\n${value}\r\n`
        : `content-type: application/json\r\n\r\n${JSON.stringify(value)}\r\n`),
  )
  before.push(
    `--${boundary}\r\ncontent-disposition: ${disposition}\r\ncontent-type: ${content.mimeType}\r\n\r\n`,
  )
  return between(
    `multipart/form-data; boundary=${boundary}`,
    before.join(''),
    content,
    `\r\n--${boundary}--\r\n`,
  )
}

/** A body with a file in it, which is read only as it is sent. */
export function between(mimeType: string, before: string, file: Content, after: string): Content {
  const [head, tail] = [Buffer.from(before), Buffer.from(after)]
  return {
    mimeType,
    sizeBytes: head.length + file.sizeBytes + tail.length,
    open: async () => {
      const bytes = await file.open()
      return Readable.from(
        (async function* () {
          yield head
          yield* bytes
          yield tail
        })(),
      )
    },
  }
}
