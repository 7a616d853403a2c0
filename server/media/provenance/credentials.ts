import type { FileEvidence, SourceType } from '../../../contract/evidence.ts'
import type { MediaType } from '../../../contract/media-types.ts'
import type { Source } from '../pictures/source.ts'
import { withBytes } from './bytes-at-once.ts'
import { c2pa, nothingIsFetched } from './c2pa.ts'
import { codeOf, strongest, tidy } from './evidence.ts'
import { generatorIn } from './generators.ts'
import type { Words } from './marks.ts'

/** What a manifest says, and whether it holds. */
export type Credentials = Pick<FileEvidence, 'generator' | 'signature'> & {
  c2pa: NonNullable<FileEvidence['c2pa']>
}

export interface CredentialsInput {
  mimeType: MediaType
  /** Certificates of the authorities whose signers are known here, as PEM. */
  trustAnchors: string | undefined
}

/** Reads the C2PA manifest in a file against all of its bytes. Nothing is fetched for it. */
export async function credentialsOf(
  source: Source,
  { mimeType, trustAnchors }: CredentialsInput,
): Promise<Credentials> {
  const { WasmReader } = await c2pa()
  return withBytes(source, async (bytes) => {
    const reader = await WasmReader.fromBlob(mimeType, bytes as unknown as Blob, settings(trustAnchors))
    try {
      return inStore(JSON.parse(reader.json()) as ManifestStore)
    } finally {
      reader.free()
    }
  })
}

/** Of the report, what is used here. */
interface ManifestStore {
  active_manifest?: string
  manifests: Record<string, Manifest>
  validation_state: 'Invalid' | 'Valid' | 'Trusted'
}

interface Manifest {
  claim_generator?: string
  claim_generator_info?: { name?: string; version?: string }[]
  signature_info?: { issuer?: string; common_name?: string; time?: string }
  assertions?: { label: string; data?: { actions?: Action[] } }[]
}

interface Action {
  digitalSourceType?: string
  softwareAgent?: string | { name?: string }
}

const states = { Invalid: 'broken', Valid: 'unknown-signer', Trusted: 'trusted' } as const

function inStore({ active_manifest, manifests, validation_state }: ManifestStore): Credentials {
  const active = manifests[active_manifest ?? '']
  const all = [...(active ? [active] : []), ...Object.values(manifests).slice(0, mostManifests)]
  const actions = all.flatMap(actionsOf)
  const types = actions.flatMap(({ digitalSourceType }): SourceType[] => {
    const code = typeof digitalSourceType === 'string' ? codeOf(digitalSourceType) : undefined
    return code ? [code] : []
  })
  const { issuer, common_name, time } = active?.signature_info ?? {}
  return {
    c2pa: {
      claimGenerator: tidy(writerOf(active)),
      signer: tidy([common_name, issuer].filter(Boolean).join(', ')),
      signedAt: tidy(time),
      digitalSourceType: strongest(types),
      isElsewhere: false,
    },
    signature: states[validation_state] ?? 'broken',
    generator: generatorIn([
      ...actions.map(agentOf),
      ...all.map((one) => said('claimgenerator', writerOf(one))),
    ]),
  }
}

const mostManifests = 50
const mostActions = 500

/** A picture is what its ingredients are, too: one that was generated stays one when it is edited. */
const actionsOf = ({ assertions = [] }: Manifest): Action[] =>
  assertions
    .filter(({ label }) => label.startsWith('c2pa.actions'))
    .flatMap(({ data }) => data?.actions?.slice(0, mostActions) ?? [])

const writerOf = (manifest: Manifest | undefined) =>
  manifest?.claim_generator_info
    ?.map(({ name, version }) => [name, version].filter(Boolean).join(' '))
    .join(', ') || manifest?.claim_generator

const agentOf = ({ softwareAgent }: Action) =>
  said('softwareAgent', typeof softwareAgent === 'object' ? softwareAgent?.name : softwareAgent)

const said = (name: string, words: unknown): Words => ({
  place: 'xmp',
  name,
  words: typeof words === 'string' ? words : '',
})

const settings = (anchors: string | undefined) =>
  JSON.stringify({
    verify: nothingIsFetched,
    ...(anchors !== undefined && { trust: { user_anchors: anchors } }),
  })
