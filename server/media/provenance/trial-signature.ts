import { sharp } from '../pictures/sharp.ts'
import { c2pa, nothingIsFetched } from './c2pa.ts'
import { type Original, type Signing, signed } from './sign.ts'

/** Signs a picture of nothing and reads it back. Says what is wrong with it, but for the signer's being unknown. */
export async function trialSignature(sign: Original['sign'], signing: Signing): Promise<string | null> {
  const mimeType = 'image/jpeg'
  const create = { width: 8, height: 8, channels: 3, background: '#000' } as const
  const bytes = await sharp({ create }).jpeg().toBuffer()
  const nothing: Original = { mimeType, sizeBytes: 0, read: async () => new Uint8Array(), sign }
  const file = await signed(nothing, { bytes, mimeType, actions: ['c2pa.edited'] }, signing)
  const { WasmReader } = await c2pa()
  const reader = await WasmReader.fromBytes(mimeType, file, JSON.stringify({ verify: nothingIsFetched }))
  try {
    const { validation_state, validation_status = [] } = JSON.parse(reader.json()) as Report
    if (validation_state !== 'Invalid') return null
    const wrong = validation_status.filter(({ code }) => code !== 'signingCredential.untrusted')
    return wrong.map(({ explanation, code }) => explanation ?? code).join(', ')
  } finally {
    reader.free()
  }
}

interface Report {
  validation_state: string
  validation_status?: { code: string; explanation?: string }[]
}
