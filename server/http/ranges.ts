import { Problem } from '../problems.ts'
import type { ByteRange } from '../storage/storage.ts'

/**
 * The one range a request asks for, or undefined for the whole. Several at once and ones outside the file are
 * refused; what is not a byte range is ignored (RFC 9110).
 */
export function requestedRange(header: string | undefined, sizeBytes: number): ByteRange | undefined {
  if (!header || !/^bytes=/i.test(header)) return undefined
  const one = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header.slice(0, 100).trim())
  if (!one || header.length > 100 || (one[1] === '' && one[2] === '')) throw unsatisfiable(sizeBytes)

  const [, from, to] = one
  const start = from === '' ? Math.max(0, sizeBytes - Number(to)) : Number(from)
  const end = from === '' || to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1)
  if (start > end || start >= sizeBytes || (from === '' && Number(to) === 0)) throw unsatisfiable(sizeBytes)
  return { start, end }
}

const unsatisfiable = (sizeBytes: number) =>
  new Problem('range-not-satisfiable', `Ask for one range within the ${sizeBytes} bytes.`, {
    headers: { 'content-range': `bytes */${sizeBytes}` },
  })
