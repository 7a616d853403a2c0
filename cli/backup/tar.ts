import { exactly } from '../../server/storage/exactly.ts'

export interface TarEntry {
  name: string
  directory: boolean
  sizeBytes: number
  modifiedAt: Date
  body: AsyncIterable<Uint8Array>
}

const block = 512
const padding = (size: number) => (block - (size % block)) % block

/** The entries as a tar (ustar) that any other program can read, too. */
export async function* tarOf(entries: AsyncIterable<TarEntry>): AsyncGenerator<Uint8Array> {
  for await (const entry of entries) {
    yield headerOf(entry)
    yield* exactly(entry.sizeBytes, entry.body)
    yield Buffer.alloc(padding(entry.sizeBytes))
  }
  yield Buffer.alloc(2 * block)
}

function headerOf({ name, directory, sizeBytes, modifiedAt }: TarEntry): Buffer {
  const header = Buffer.alloc(block)
  const [prefix, rest] = split(directory ? `${name}/` : name)
  const octal = (value: number, at: number, width: number) =>
    header.write(`${value.toString(8).padStart(width - 1, '0')}\0`, at, 'latin1')
  header.write(rest, 0, 'latin1')
  octal(directory ? 0o700 : 0o600, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  // Eleven octal digits end at 8 GiB; beyond, the number stands there in binary.
  if (sizeBytes < 8 ** 11) octal(sizeBytes, 124, 12)
  else {
    header[124] = 0x80
    header.writeBigUInt64BE(BigInt(sizeBytes), 128)
  }
  octal(Math.floor(modifiedAt.getTime() / 1000), 136, 12)
  header.write(directory ? '5' : '0', 156, 'latin1')
  header.write('ustar\x0000', 257, 'latin1')
  header.write(prefix, 345, 'latin1')
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return header
}

/** A long name is cut at a slash: a hundred characters in one field, those before it in another. */
function split(name: string): [prefix: string, rest: string] {
  if (name.length <= 100) return ['', name]
  for (
    let cut = name.indexOf('/', name.length - 101);
    cut > 0 && cut <= 155;
    cut = name.indexOf('/', cut + 1)
  )
    if (cut < name.length - 1) return [name.slice(0, cut), name.slice(cut + 1)]
  throw new Error(`The name ${name} is too long for the archive.`)
}

/** Each byte of the header, as if its own field were blank. */
const checksumOf = (header: Buffer) =>
  header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0)

/** The entries of a tar. Each body has to be read, or left, before the next entry. */
export async function* entriesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const source = byteSource(chunks)
  for (;;) {
    const header = Buffer.concat(await Array.fromAsync(source.take(block)))
    if (header.every((byte) => byte === 0)) return
    if (!(checksumOf(header) === Number.parseInt(text(header, 148, 8), 8))) throw notTar()
    const sizeBytes =
      header[124] === 0x80 ? Number(header.readBigUInt64BE(128)) : Number.parseInt(text(header, 124, 12), 8)
    const prefix = text(header, 345, 155)
    let left = sizeBytes
    async function* body() {
      for await (const piece of source.take(left)) {
        left -= piece.length
        yield piece
      }
    }
    yield {
      name: `${prefix ? `${prefix}/` : ''}${text(header, 0, 100)}`.replace(/\/$/, ''),
      directory: text(header, 156, 1) === '5',
      sizeBytes,
      modifiedAt: new Date(Number.parseInt(text(header, 136, 12), 8) * 1000),
      body: body(),
    }
    for await (const _ of source.take(left + padding(sizeBytes))) {
      // what nobody wanted, and what only fills the block
    }
  }
}

const text = (header: Buffer, at: number, width: number) =>
  header
    .subarray(at, at + width)
    .toString('latin1')
    .replace(/\0.*$/s, '')

function byteSource(chunks: AsyncIterable<Uint8Array>) {
  const iterator = chunks[Symbol.asyncIterator]()
  let held: Uint8Array = new Uint8Array()
  return {
    async *take(count: number): AsyncGenerator<Uint8Array> {
      for (let wanted = count; wanted > 0; ) {
        if (held.length === 0) {
          const { done, value } = await iterator.next()
          if (done) throw cutOff()
          held = value
        }
        const piece = held.subarray(0, wanted)
        held = held.subarray(piece.length)
        wanted -= piece.length
        yield piece
      }
    },
  }
}

const notTar = () => new Error('It is no tar archive, or was damaged.')
const cutOff = () => new Error('It ends too early.')
