import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { allMediaTypes, endingsOf } from '../contract/media-types.ts'
import { fixturePath, inMemory } from '../server/media/fixtures/fixture.ts'
import { agreedType } from '../server/media/pictures/true-type.ts'
import { trueType } from '../web/uploads/true-type.ts'

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))
const box = (major: string, ...compatible: string[]) =>
  `\0\0\0${String.fromCharCode(16 + 4 * compatible.length)}ftyp${major}\0\0\0\0${compatible.join('')}`

const brands = [
  ...['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs', 'avif', 'avis', 'mif1', 'mif2', 'msf1'],
  ...['miaf', 'isom', 'iso2', 'iso6', 'mp41', 'mp42', 'avc1', 'hvc1', 'hev1', 'M4V ', 'M4VH', 'M4VP', 'mmp4'],
  ...['MSNV', 'dash', 'msdh', '3g2a', '3gp5', '3gs6', 'qt  ', 'crx ', 'M4A ', 'M4B ', 'jp2 ', 'XAVC', 'none'],
]
const starts = [
  ...[
    '',
    '\xff\xd8\xff',
    '\xff\xd8\xff\xe0',
    '\xff\xd8\xff\xf7',
    '\xef\xbb\xbf\xff\xd8\xff\xe0',
    '\x89PNG\r\n\x1a\n',
  ],
  ...[
    'RIFF1234WEBPVP8 ',
    'RIFX1234WEBPVP8 ',
    'RIFF1234AVI LIST',
    'GIF89a',
    '%PDF-1.7',
    '8BPS',
    'II*\0',
    'MM\0*',
  ],
  ...['PK\x03\x04', '\x1aE\xdf\xa3', ' <!doctype html>', '<?xml version="1.0"?><svg>', 'BM', 'plain text'],
  // A tag of MP3 with a picture behind it.
  'ID3\x03\0\0\0\0\0\x0a1234567890\xff\xd8\xff\xe0',
]

const samples: [name: string, head: Uint8Array][] = [
  ...readdirSync(fixturePath('.'), { withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(ts|md)$/.test(entry.name))
    .map(({ name }): [string, Uint8Array] => [name, new Uint8Array(readFileSync(fixturePath(name)))]),
  ...brands.flatMap((major) =>
    [[], ['isom'], ['heic'], ['avif'], ['avif', 'heic'], ['odd ']].map((compatible): [string, Uint8Array] => [
      `${major} like ${compatible}`,
      bytes(box(major, ...compatible)),
    ]),
  ),
  ...starts.map((start): [string, Uint8Array] => [JSON.stringify(start), bytes(start)]),
]

test('what the web app would send, the server takes, and nothing else', async () => {
  const verdicts = { taken: 0, refused: 0 }
  for (const [name, head] of samples)
    for (const type of allMediaTypes) {
      const file = Object.assign(new Blob([head.slice()]), { name: `file.${endingsOf(type)[0]}` })
      const sent = (await trueType(file)) === type
      const taken = await agreedType(inMemory(head), type).then(Boolean, () => false)
      expect({ name, type, taken }).toEqual({ name, type, taken: sent })
      verdicts[taken ? 'taken' : 'refused']++
    }
  // Each kind of verdict was really given, many times.
  expect(Math.min(verdicts.taken, verdicts.refused)).toBeGreaterThan(100)
})
