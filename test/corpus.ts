import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fixturePath, typeByName } from '../server/media/fixtures/fixture.ts'
import { type Person, puts } from './person.ts'

export interface Sample {
  file: string
  type: string
  claimedMime: string
  expect: 'accept' | 'reject' | 'accept-sanitised' | 'policy' | 'no-crash'
}

const folder = process.env.CORPUS_DIR ?? fileURLToPath(new URL('../../shared/corpus', import.meta.url))

/** Bad input of all kinds; empty where the collection is not at hand. */
export const corpus: Sample[] = existsSync(join(folder, 'MANIFEST.jsonl'))
  ? readFileSync(join(folder, 'MANIFEST.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => ({ ...JSON.parse(line), file: join(folder, JSON.parse(line).file) }))
  : []

/** What stands in for it: our own files, good and bad. */
export const fixtureSamples = (): Sample[] =>
  readdirSync(fixturePath('.'))
    .filter((name) => typeByName(name) !== 'application/octet-stream')
    .map((name) => ({
      file: fixturePath(name),
      type: name.split('.').at(-1)!,
      claimedMime: typeByName(name),
      expect: 'no-crash',
    }))

export interface Outcome {
  verdict: 'shown' | 'accepted, not shown' | 'refused' | 'fault'
  code: string
  seconds: number
}

/** Session, PUT, finalize, preview. */
export async function outcomeOf(person: Person, { file, claimedMime }: Sample): Promise<Outcome> {
  const start = performance.now()
  const answer = (verdict: Outcome['verdict'], code = ''): Outcome => ({
    verdict,
    code,
    seconds: (performance.now() - start) / 1000,
  })
  const bytes = await readFile(file)
  const opened = await person.opensUpload({
    originalFilename: file.split('/').at(-1)!,
    mimeType: claimedMime,
    expectedSizeBytes: bytes.length,
  })
  if (opened.status === 400) return answer('refused', opened.body.code)
  await puts(opened.body, bytes)
  const finalized = await person.finalizes(opened.body.uploadToken)
  if (finalized.status >= 500 || !(finalized.status < 300 || finalized.body.code))
    return answer('fault', JSON.stringify(finalized.body))
  if (finalized.status >= 400) return answer('refused', finalized.body.code)
  const preview = await person.fetch(`${person.door.assets}/${finalized.body.assetId}/preview?size=thumb`, {
    headers: { accept: 'image/webp' },
  })
  const picture = Buffer.from(await preview.arrayBuffer())
  if (preview.status === 200)
    return picture.subarray(8, 12).toString() === 'WEBP' ? answer('shown') : answer('fault', 'not a WebP')
  return preview.status < 500
    ? answer('accepted, not shown', JSON.parse(picture.toString()).code)
    : answer('fault', picture.toString())
}
