import { crc32, deflateSync } from 'node:zlib'
import { type Colours, hdrIn, isDisplayP3 } from './colour-space.ts'
import { toneMap } from './hdr.ts'
import { encodable, type Pixels, toPixels } from './pixels.ts'
import { sharp } from './sharp.ts'

/** Pixels as the file has them, in the colours that screens and targets take for granted. */
export async function toSrgb(pixels: Pixels, colours: Colours): Promise<Pixels> {
  const hdr = hdrIn(colours)
  if (hdr) {
    toneMap(pixels, hdr.transfer, hdr.primaries)
    return pixels
  }
  const icc = colours.icc ?? (isDisplayP3(colours.mark) ? await displayP3Profile() : undefined)
  return icc ? throughProfile(pixels, icc) : pixels
}

/** Some phones only name the colour primaries. sharp carries the matching profile; one pixel takes it along. */
async function displayP3Profile(): Promise<Uint8Array | undefined> {
  const pixel = await sharp({ create: { width: 1, height: 1, channels: 3, background: '#000' } })
    .withIccProfile('p3')
    .png()
    .toBuffer()
  return (await sharp(pixel).metadata()).icc
}

/** sharp takes a profile only from a file: so the pixels become an uncompressed PNG that carries it. */
async function throughProfile(pixels: Pixels, icc: Uint8Array): Promise<Pixels> {
  const png = await encodable(pixels).png({ compressionLevel: 0 }).toBuffer()
  return toPixels(sharp(spliceProfile(png, icc)))
}

function spliceProfile(png: Buffer, icc: Uint8Array): Buffer {
  const afterHeader = 33 // signature 8, IHDR 25
  const body = Buffer.concat([Buffer.from('iCCPprofile\0\0', 'latin1'), deflateSync(icc)])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length - 4)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([png.subarray(0, afterHeader), length, body, checksum, png.subarray(afterHeader)])
}
