import sharp from 'sharp'
import { expect, test } from 'vitest'
import { world } from './world.ts'

const w = await world()

/** One logo, in a colour. Nothing about its shape is symmetric, so that the hash has something to hold on to. */
const logo = (colour: string) =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="160" height="120"><rect width="160" height="120" fill="#fff"/>
      <path d="M12 97 61 9l37 71 49-33-21 66zM118 8h33v17h-33zM9 18h22v31H9z" fill="${colour}"/></svg>`,
    ),
  )
    .png()
    .toBuffer()

test('only the same bytes are identical; two colours of one logo are alike', async () => {
  const { operator } = await w.newClient()
  const made = async (colour: string, originalFilename: string) =>
    operator.uploads(await logo(colour), { session: { originalFilename, mimeType: 'image/png' } })
  const red = await made('#c22', 'red.png')
  const copy = await made('#c22', 'copy.png')
  const blue = await made('#22c', 'blue.png')
  const similar = async () =>
    (await operator.get(`${operator.door.assets}/${red.assetId}/similar`)).body.similar.map(
      ({
        asset,
        identical,
        distance,
      }: {
        asset: { assetId: string }
        identical: boolean
        distance: number
      }) => ({
        assetId: asset.assetId,
        identical,
        distance,
      }),
    )
  await expect.poll(similar, { timeout: 90_000 }).toEqual([
    { assetId: copy.assetId, identical: true, distance: 0 },
    { assetId: blue.assetId, identical: false, distance: 0 },
  ])
})
