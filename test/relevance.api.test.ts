import { expect, test } from 'vitest'
import type { Asset } from '../contract/assets.ts'
import { newId } from '../server/ids.ts'
import { type LabelledAsset, labelledAssets, labelledQueries } from './labelled-assets.ts'
import { plainDetails } from './plain-details.ts'
import { world } from './world.ts'

const w = await world({ ROLE: 'api' })

test('fifty searches find what people meant among two hundred assets, the best first', async () => {
  const { clientId, portal } = await w.newClient()
  const labelled = new Map<string, LabelledAsset>()
  const rows = labelledAssets.map((asset, at) => {
    const id = newId('asset')
    labelled.set(id, asset)
    return {
      client_id: clientId,
      id,
      title: asset.title,
      description: asset.description,
      alt_text: asset.altText,
      tags: asset.tags,
      original_filename: asset.filename,
      mime_type: asset.isFilm ? 'video/mp4' : 'image/jpeg',
      size_bytes: 1,
      details: plainDetails,
      created_by: 'tests',
      // In no order that has to do with what they show.
      created_at: new Date(1_700_000_000_000 + ((at * 7919) % 200) * 1000),
    }
  })
  expect(rows).toHaveLength(200)
  expect(labelledQueries).toHaveLength(50)
  await w.parts.db
    .insertInto('assets')
    .values(rows as never)
    .execute()

  const poor: string[] = []
  let sum = 0
  for (const [q, wanted, filter = {}] of labelledQueries) {
    const { body } = await portal.lists({ everywhere: true, limit: 10, q, ...filter })
    const isMeant = ({ label, title }: LabelledAsset) => wanted.includes(label) || wanted.includes(title)
    const gains = body.assets.map(({ assetId }: Asset) => (isMeant(labelled.get(assetId)!) ? 1 : 0))
    const relevant = labelledAssets.filter(
      (asset) => isMeant(asset) && (!filter.mimeType || asset.isFilm),
    ).length
    const ndcg = discounted(gains) / discounted(Array(Math.min(10, relevant)).fill(1))
    if (ndcg < 0.7) poor.push(`${q}: ${ndcg.toFixed(2)}`)
    sum += ndcg
  }
  console.info(`nDCG@10 of ${labelledQueries.length} searches: ${(sum / labelledQueries.length).toFixed(3)}`)
  expect(poor).toEqual([])
  expect(sum / labelledQueries.length).toBeGreaterThan(0.9)
})

const discounted = (gains: number[]) =>
  gains.reduce((sum, gain, place) => sum + gain / Math.log2(place + 2), 0)
