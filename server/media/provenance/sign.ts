import type { WasmBuilder } from '@contentauth/c2pa-wasm'
import type { MediaType } from '../../../contract/media-types.ts'
import { version } from '../../version.ts'
import type { Source } from '../pictures/source.ts'
import { type BytesAtOnce, heldBytes, withBytes } from './bytes-at-once.ts'
import { c2pa, nothingIsFetched } from './c2pa.ts'
import type { Algorithm } from './cose.ts'
import { type Carried, iptcCodes } from './kept-marks.ts'

/** How it is signed. The key is not here: the parent process has it. */
export interface Signing extends Carried {
  algorithm: Algorithm
  signatureBytes: number
}

/** C2PA's words for what is done here. */
export type Action =
  | 'c2pa.cropped'
  | 'c2pa.edited'
  | 'c2pa.edited.metadata'
  | 'c2pa.repackaged'
  | 'c2pa.resized'
  | 'c2pa.transcoded'
  | 'c2pa.trimmed'

export interface Original extends Source {
  mimeType: MediaType
  /** Asks the parent process. */
  sign(claim: Uint8Array): Promise<Uint8Array>
}

/** A file that was made of another, with a manifest that says so. */
export async function signed(
  original: Original,
  made: { bytes: Uint8Array; mimeType: MediaType; actions: Action[] },
  signing: Signing,
): Promise<Uint8Array> {
  const { WasmBuilder } = await c2pa()
  const definition = JSON.stringify(definitionOf(made.actions, signing))
  const builder = WasmBuilder.fromJson(definition, JSON.stringify(context))
  try {
    if (signing.hasManifest) await withBytes(original, (bytes) => carryOn(builder, original.mimeType, bytes))
    else builder.addIngredient(JSON.stringify({ ...parent, format: original.mimeType }))
    const { algorithm: alg, signatureBytes: reserveSize } = signing
    const sign = async (claim: Uint8Array) => new Uint8Array(await original.sign(claim))
    return await builder.sign({ alg, reserveSize, sign }, [], made.mimeType, asBlob(heldBytes(made.bytes)))
  } finally {
    builder.free()
  }
}

const context = {
  verify: { ...nothingIsFetched, verify_after_sign: false },
  builder: { thumbnail: { enabled: false } },
}

const parent = { label: 'original', relationship: 'parentOf' }

const definitionOf = (actions: Action[], { digitalSourceType }: Carried) => ({
  claim_generator_info: [{ name: 'Client Asset Library', version }],
  assertions: [
    {
      label: 'c2pa.actions.v2',
      data: {
        actions: [
          {
            action: 'c2pa.opened',
            parameters: { ingredientIds: [parent.label] },
            ...(digitalSourceType && { digitalSourceType: `${iptcCodes}${digitalSourceType}` }),
          },
          ...actions.map((action) => ({ action })),
        ],
      },
    },
  ],
})

/** The original's own manifests, with their signatures; without what must not leave. */
async function carryOn(builder: WasmBuilder, type: MediaType, bytes: BytesAtOnce): Promise<void> {
  const { WasmReader } = await c2pa()
  const reader = await WasmReader.fromBlob(type, asBlob(bytes), JSON.stringify({ verify: nothingIsFetched }))
  try {
    await builder.addIngredientFromBlob(JSON.stringify(parent), type, asBlob(bytes))
    const { manifests } = JSON.parse(reader.crJson()) as { manifests: Manifest[] }
    for (const uri of manifests.flatMap(talkative)) builder.addRedaction(uri, 'c2pa.PII.present')
  } finally {
    reader.free()
  }
}

/** Of the report, what is used here: assertions by their names. */
interface Manifest {
  label: string
  assertions?: Record<string, unknown>
}

/**
 * Names of people, places, cameras and small pictures are taken out of a manifest without breaking its signature. What is
 * kept is listed: what was done, what it was made of, and what holds it to its bytes.
 */
const kept = /^c2pa\.(actions|ingredient|hash)\b/

const talkative = ({ label, assertions = {} }: Manifest): string[] =>
  Object.keys(assertions)
    .filter((name) => !kept.test(name))
    .map((name) => `self#jumbf=/c2pa/${label}/c2pa.assertions/${name}`)

const asBlob = (bytes: BytesAtOnce) => bytes as unknown as Blob
