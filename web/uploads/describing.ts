import type { Asset } from '../../contract/assets.ts'
import { api } from '../api.ts'
import { failureOf } from './failure.ts'
import { slots } from './slots.ts'
import { type About, stillUnsaved, type Upload } from './upload.ts'
import type { UploadStore } from './upload-store.ts'

const mostWrites = 4

/** What is written about files while they travel, and where they are collected: sent along with finalization, or when there is an asset. */
export function describing(base: string, uploads: UploadStore) {
  const writes = slots(mostWrites)

  async function writeAbout(id: string) {
    const { asset, about, collectionId } = uploads.get(id)!
    const { assetId } = asset!
    try {
      if (collectionId) {
        const collection = `${base.replace(/assets$/, 'collections')}/${collectionId}`
        await writes(() => api.post(`${collection}/assets`, { assetIds: [assetId] }))
        uploads.set(id, { collectionId: null })
      }
      if (Object.keys(about).length === 0) return
      const written = await writes(() => api.patch<Asset>(`${base}/${assetId}`, about))
      const upload = uploads.get(id)
      if (upload)
        uploads.set(id, { asset: { ...asset!, ...written }, about: stillUnsaved(upload.about, about) })
    } catch (error) {
      uploads.go(id, 'failWords', { failure: failureOf(error, uploads.get(id)!) })
    }
  }

  function describe(ids: readonly string[], write: (upload: Upload) => About) {
    for (const id of ids) {
      const upload = uploads.get(id)
      const written = upload && write(upload)
      if (!upload || !written || Object.keys(written).length === 0) continue
      uploads.set(id, { about: { ...upload.about, ...written } })
      if (upload.asset) void writeAbout(id)
      else uploads.save(id)
    }
    uploads.publish()
  }

  return { writeAbout, describe }
}
