import { Readable } from 'node:stream'
import { contentDisposition } from '../../http/file-answers.ts'
import type { Content } from './target.ts'

/** A form with a file at its end. */
export function multipart(
  boundary: string,
  fields: Record<string, string>,
  { name, filename, content }: { name: string; filename: string; content: Content },
): Content {
  const disposition = contentDisposition('attachment', filename).replace(
    'attachment',
    `form-data; name="${name}"`,
  )
  const before = Buffer.from(
    Object.entries(fields)
      .map(
        ([field, value]) =>
          `--${boundary}\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
      )
      .join('') +
      `--${boundary}\r\ncontent-disposition: ${disposition}\r\ncontent-type: ${content.mimeType}\r\n\r\n`,
  )
  const after = Buffer.from(`\r\n--${boundary}--\r\n`)
  return {
    mimeType: `multipart/form-data; boundary=${boundary}`,
    sizeBytes: before.length + content.sizeBytes + after.length,
    open: async () => {
      const bytes = await content.open()
      return Readable.from(
        (async function* () {
          yield before
          yield* bytes
          yield after
        })(),
      )
    },
  }
}
