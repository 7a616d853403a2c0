import { type Static, Type } from 'typebox'
import { Strict } from '../../contract/words.ts'
import type { PortableFolder } from '../folders/portable.ts'
import { ownWords, type PortableAsset, PortableVersion } from './portable-asset.ts'

const Path = Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), { maxItems: 64 })
const { version: _, ...ofVersion } = PortableVersion.properties

const AssetWithoutId = Strict({
  folder: Path,
  ...ownWords,
  versions: Type.Array(Strict(ofVersion), { minItems: 1 }),
})
type AssetWithoutId = Static<typeof AssetWithoutId>

/** The lines of the first format. */
export const FirstLine = Type.Union([
  Strict({ format: Type.String(), formatVersion: Type.Literal(1) }),
  Strict({ folder: Path }),
  Strict({ asset: AssetWithoutId }),
])

/** Where nothing has an id, as in a plain folder: names from the top down stand for it. */
export class PathsAsIds {
  readonly folders: PortableFolder[] = []
  readonly #known = new Set<string>()

  folder(path: string[]): string | null {
    if (path.length === 0) return null
    const parentId = this.folder(path.slice(0, -1))
    const folderId = JSON.stringify(path)
    if (!this.#known.has(folderId)) this.folders.push({ folderId, parentId, name: path.at(-1)! })
    this.#known.add(folderId)
    return folderId
  }

  asset({ folder, versions, ...words }: AssetWithoutId): PortableAsset {
    return {
      ...words,
      assetId: versions[0]!.file,
      folderId: this.folder(folder),
      versions: versions.map((version, index) => ({ ...version, version: index + 1 })),
    }
  }
}
