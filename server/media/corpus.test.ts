import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import type { MediaType } from '../../contract/media-types.ts'
import { Problem } from '../problems.ts'
import { fixturePath, localFile, typeByName } from './fixtures/fixture.ts'
import { openMedia } from './media.ts'

// Bad input of all kinds goes through everything that looks at it. The large collection is used where it is at hand.

interface Sample {
  path: string
  declared: string
  kind: string
  expect: 'accept' | 'reject' | 'accept-sanitised' | 'policy' | 'no-crash'
}

const corpusFolder =
  process.env.CORPUS_DIR ?? fileURLToPath(new URL('../../../shared/corpus', import.meta.url))
const hasCorpus = existsSync(join(corpusFolder, 'MANIFEST.jsonl'))
const samples = hasCorpus ? corpus() : fixtures()

const media = openMedia({ scratchFolder: tmpdir(), ffmpeg: 'off', queueLength: 5000 })
afterAll(() => media.close())

type Outcome = 'shown' | 'no preview' | 'refused' | 'fault'

describe(`${samples.length} files of ${hasCorpus ? 'the corpus' : 'the fixtures (no corpus at hand)'}`, () => {
  const outcomes = new Map<Sample, { outcome: Outcome; code: string }>()

  test('each is shown or refused with a problem, and none takes others along', {
    timeout: 600_000,
  }, async () => {
    await Promise.all(samples.map(async (sample) => outcomes.set(sample, await outcomeOf(sample))))
    console.log(table(outcomes))
    expect(faulty(({ outcome }) => outcome === 'fault')).toEqual([])
  })

  test('what is to be accepted is shown', () => {
    expect(faulty(({ outcome }, wanted) => wanted.startsWith('accept') && outcome !== 'shown')).toEqual([])
  })

  test('what is to be rejected is refused', () => {
    expect(faulty(({ outcome }, wanted) => wanted === 'reject' && outcome !== 'refused')).toEqual([])
  })

  test('after all of them a photo is shown as ever', async () => {
    const { pictures } = await media.previews(localFile(fixturePath('plain.jpg')), 'image/jpeg', [
      { size: 'thumb', format: 'webp' },
    ])
    expect(pictures[0]).toMatchObject({ width: 320, height: 240 })
  })

  const faulty = (
    isFault: (found: { outcome: Outcome; code: string }, wanted: Sample['expect']) => boolean,
  ) =>
    [...outcomes]
      .filter(([sample, found]) => isFault(found, sample.expect))
      .map(([sample, found]) => [sample.path, found])
})

async function outcomeOf({ path, declared }: Sample): Promise<{ outcome: Outcome; code: string }> {
  const source = localFile(path)
  try {
    await media.inspect(source, declared)
  } catch (error) {
    return error instanceof Problem
      ? { outcome: 'refused', code: error.code }
      : { outcome: 'fault', code: String(error) }
  }
  try {
    const { pictures } = await media.previews(source, declared as MediaType, [
      { size: 'thumb', format: 'webp' },
    ])
    return carriesPayload(pictures[0]!.bytes)
      ? { outcome: 'fault', code: 'payload' }
      : { outcome: 'shown', code: '' }
  } catch (error) {
    return error instanceof Problem
      ? { outcome: 'no preview', code: error.code }
      : { outcome: 'fault', code: String(error) }
  }
}

/** A preview is made of pixels only: nothing that was hidden beside them comes along. */
const carriesPayload = (preview: Uint8Array) =>
  ['<script', '<?php', 'PK\x03\x04'].some((payload) => Buffer.from(preview).includes(payload, 0, 'latin1'))

function corpus(): Sample[] {
  return readFileSync(join(corpusFolder, 'MANIFEST.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map(
      (line) =>
        JSON.parse(line) as { file: string; type: string; claimedMime: string; expect: Sample['expect'] },
    )
    .map(({ file, type, claimedMime, expect }) => ({
      path: join(corpusFolder, file),
      declared: claimedMime,
      kind: type,
      expect,
    }))
}

function fixtures(): Sample[] {
  const refused = /^(impostor-(?!quicktime)|truncated|bomb|magic|empty|one-byte|audio-only|fuzz)/
  return readdirSync(fixturePath('.'))
    .filter((name) => typeByName(name) !== 'application/octet-stream')
    .map((name) => ({
      path: fixturePath(name),
      declared: typeByName(name),
      kind: name.split('.').at(-1)!,
      expect: refused.test(name) ? 'reject' : 'accept',
    }))
}

function table(outcomes: Map<Sample, { outcome: Outcome; code: string }>): string {
  const rows = Map.groupBy(outcomes, ([{ kind, expect }]) => `${kind.padEnd(6)}${expect.padEnd(18)}`)
  const lines = [...rows].sort().map(([name, found]) => {
    const counts = Map.groupBy(found, ([, { outcome, code }]) => (outcome === 'refused' ? code : outcome))
    return (
      name +
      [...counts]
        .map(([outcome, all]) => `${outcome} ${all.length}`)
        .sort()
        .join(', ')
    )
  })
  return ['type  expected          outcome', ...lines].join('\n')
}
