import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import sharp, { type Sharp } from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { fixturePath, inMemory } from '../fixtures/fixture.ts'
import { openMedia } from '../media.ts'

const media = openMedia({ scratchFolder: tmpdir(), ffmpeg: 'off' })
afterAll(media.close)

const menu = sharp(fixturePath('menu.png'))
const title = (picture: Sharp) => picture.clone().extract({ left: 0, top: 80, width: 750, height: 100 })
const read = async (picture: Sharp, ...languages: Parameters<typeof media.text>[1]) =>
  media.text(inMemory(await picture.clone().webp({ quality: 80 }).toBuffer()), languages)

test('a menu is read behind the walls, with its umlauts and prices', async () => {
  expect(await read(menu, 'de', 'en')).toBe(
    `Gasthaus zum Löwen
Mittagskarte
Käsespätzle mit Röstzwiebeln 12,90 €
Zwiebelrostbraten und Brägele 21,50 €
Gemüsestrudel, Kräutersoße 14,20 €
Süßes zum Schluss
Grüne Grütze mit Vanillesoße 6,80 €
Straßburger Apfelkuchen 5,40 €
Please order at the counter`,
  )
})

test('light words on nothing are read, whatever stands behind them', async () => {
  const white = await sharp({ create: { width: 750, height: 1000, channels: 3, background: '#fff' } })
    .joinChannel(await menu.clone().greyscale().negate().toColourspace('b-w').raw().toBuffer(), {
      raw: { width: 750, height: 1000, channels: 1 },
    })
    .png()
    .toBuffer()
  expect(await read(title(sharp(white)), 'de')).toBe('Gasthaus zum Löwen')
})

test('a photograph, noise and an empty page have no words', async () => {
  const photo = sharp(readFileSync(fixturePath('c2pa/C.jpg'))).resize(1600)
  const noise = sharp({
    create: {
      ...{ width: 900, height: 600, channels: 3, background: '#888' },
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
  const blank = sharp({ create: { width: 400, height: 300, channels: 3, background: '#fff' } })
  for (const picture of [photo, noise, blank, sharp(fixturePath('plain.jpg'))])
    expect(await read(picture, 'de', 'en')).toBe('')
})

test('a language that is not installed is passed over, and no picture at all costs its own task only', async () => {
  expect((await media.capabilities()).ocrLanguages).toEqual(['de', 'en'])
  await expect(media.text(inMemory(Buffer.from('no picture')), ['de'])).rejects.toMatchObject({
    code: 'unreadable-media',
  })
  expect(await read(title(menu), 'pl', 'de')).toBe('Gasthaus zum Löwen')
  expect(await read(title(menu), 'pl')).toBe('')
})
