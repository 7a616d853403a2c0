import type { Ai } from '../ai/ai.ts'
import { assetRow } from '../assets/asset.ts'
import type { Library } from '../library.ts'
import { modelPicture } from '../previews/model-picture.ts'
import { Problem } from '../problems.ts'
import { suggestionsIn, type Words, wordsOf } from './answer.ts'
import { countOne } from './daily-limit.ts'
import { questionAbout } from './question.ts'

interface Asked {
  ai: Ai
  language: string
  limit: number
}

/** What the model would write of the current version; undefined for one that is gone or in the trash meanwhile. */
export async function askAbout(library: Library, { ai, language, limit }: Asked, assetId: string) {
  const row = await assetRow(library.db, library, assetId).catch(ifGone)
  if (!row || row.trashed_at) return undefined
  const picture = await modelPicture(library, assetId, row.version)
  await countOne(library, limit)
  const answer = await ai.chat(questionAbout(picture, language))
  const before: Words = wordsOf(row)
  return { version: row.version, before, words: suggestionsIn(answer, { ...before, tagList: row.tags }) }
}

function ifGone(error: unknown): undefined {
  if (!(error instanceof Problem && error.code === 'not-found')) throw error
}
