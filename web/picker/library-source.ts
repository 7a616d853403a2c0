import type { Asset, AssetPage } from '../../contract/assets.ts'
import type { Folder, FolderTree } from '../../contract/folders.ts'
import type { PickerToken } from '../../contract/picker.ts'
import { type PickerAsset, type PickerFolder, remembered, type Source } from './source.ts'

/** The login is over: the person has to sign in again. */
export class SignedOut extends Error {}

type Token = Pick<PickerToken, 'pickerToken' | 'library'>

/** The library's own API, by the token of a picker. */
export function librarySource({ pickerToken, library }: Token): Source {
  const base = `${library}/assets`
  async function get(path: string, accept: string, signal?: AbortSignal): Promise<Response> {
    const headers = { accept, authorization: `Bearer ${pickerToken}` }
    const answer = await fetch(base + path, { headers, credentials: 'omit', ...(signal && { signal }) })
    // Without its client, or before a step that is due, there is nothing to pick either.
    if ([401, 403, 404].includes(answer.status) && accept === json) throw new SignedOut()
    if (!answer.ok) throw new Error(`${answer.status}`)
    return answer
  }

  return {
    async find({ q, surface, folderId }, cursor, signal) {
      const wanted = {
        limit: '60',
        ...(q && { q }),
        ...(surface && { surface }),
        ...(folderId ? { folderId, below: 'true' } : { everywhere: 'true' }),
        ...(cursor && { cursor }),
      }
      const answer = await get(`?${new URLSearchParams(wanted)}`, json, signal)
      const { assets, nextCursor } = (await answer.json()) as AssetPage
      return { assets: assets.map(pickerAsset), nextCursor }
    },
    async folders() {
      const answer = await get('/folders?limit=2000', json)
      return withPaths(((await answer.json()) as FolderTree).folders)
    },
    picture: remembered(async ({ assetRef }) => {
      const answer = await get(`/${assetRef.split('@')[0]}/preview?size=thumb`, 'image/webp,image/*')
      return URL.createObjectURL(await answer.blob())
    }),
  }
}

const json = 'application/json'

const pickerAsset = (asset: Asset): PickerAsset => ({
  assetRef: asset.assetRef,
  title: asset.title,
  altText: asset.altText,
  mimeType: asset.mimeType,
  width: asset.width,
  height: asset.height,
  durationSeconds: asset.durationSeconds,
  rightsExpireAt: asset.rightsExpireAt,
  placeholder: asset.media.placeholder,
})

function withPaths(folders: Folder[]): PickerFolder[] {
  const byId = new Map(folders.map((folder) => [folder.folderId, folder]))
  const pathOf = (folder: Folder): string => {
    const parent = folder.parentId && byId.get(folder.parentId)
    return parent ? `${pathOf(parent)} / ${folder.name}` : folder.name
  }
  return folders
    .map((folder) => ({ folderId: folder.folderId, path: pathOf(folder) }))
    .sort((a, b) => a.path.localeCompare(b.path))
}
