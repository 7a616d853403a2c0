import { LRUCache } from 'lru-cache'
import type { Ai } from './ai.ts'
import { aiFailed } from './errors.ts'
import { unrelated } from './unrelated.ts'

/** Vectors of texts: how near two of them are says how near their meaning is. */
export interface Meaning {
  /** Where texts go. */
  host: string
  /** Which model makes them, and of how many numbers: no two of others are ever compared. */
  space(): Promise<Space>
  /** A vector of length one for each text. */
  vectorsOf(texts: readonly string[]): Promise<number[][]>
  /** What somebody looks for, if that is known in the time they would wait for it. */
  sought(clientId: string, words: string): Promise<Sought | undefined>
}

export interface Space {
  /** The model's name with its dimensions. */
  model: string
  dimensions: number
}

export interface Sought extends Space {
  vector: number[]
  /** Texts that are no nearer than this have nothing to do with it. */
  farthest: number
}

/** What pgvector has an index for. */
const mostDimensions = 4000
/** Nobody waits longer for meaning: words are found by then. */
const longestWait = 1
/** How long an endpoint that does not answer in time is not asked for the words of a search. */
const restMs = 30_000
const kept = { max: 300, ttl: 10 * 60_000 }

export function openMeaning(ai: Ai, secondsToWait = longestWait): Meaning {
  let found: Promise<Space & { unrelated: number[][] }> | undefined
  const known = new LRUCache<string, Promise<Sought>>(kept)
  let restsUntil = 0

  /** How its vectors are in this process: found out once, by texts that are nobody's. */
  function space() {
    found ??= ai.embed(unrelated).then((vectors) => {
      const dimensions = vectors[0]!.length
      if (dimensions > mostDimensions)
        throw aiFailed(
          `makes vectors of ${dimensions} numbers, and ${mostDimensions} is the most there can be`,
        )
      return { model: `${ai.embeddingsModel}:${dimensions}`, dimensions, unrelated: vectors.map(ofLengthOne) }
    })
    found.catch(() => {
      found = undefined
    })
    return found
  }

  async function vectorsOf(texts: readonly string[], asking?: { seconds: number; tries: number }) {
    const { model, dimensions } = await space()
    const vectors = await ai.embed(texts, asking)
    if (vectors.some(({ length }) => length !== dimensions))
      throw aiFailed(`made a vector of ${vectors[0]!.length} numbers where ${model} was expected`)
    return vectors.map(ofLengthOne)
  }

  async function seek(words: string): Promise<Sought> {
    const { unrelated, ...its } = await space()
    const [vector] = await vectorsOf([words], { seconds: secondsToWait, tries: 1 })
    return {
      ...its,
      vector: vector!,
      farthest: 1 - outstanding(unrelated.map((other) => dot(vector!, other))),
    }
  }

  return {
    host: ai.host,
    space,
    vectorsOf: (texts) => vectorsOf(texts),
    async sought(clientId, words) {
      const key = `${clientId} ${words}`
      if (!known.has(key) && Date.now() < restsUntil) return undefined
      const asked = known.get(key) ?? seek(words)
      known.set(key, asked)
      asked.then(
        () => {
          restsUntil = 0
        },
        () => known.delete(key),
      )
      const answer = await within(secondsToWait * 1000, asked)
      if (!answer) restsUntil = Date.now() + restMs
      return answer
    },
  }
}

/**
 * How near something must be to stand out from what has nothing to do with it. Every model has a scale of its own: one
 * calls strangers 0.1 alike, another 0.8.
 */
function outstanding(similarities: number[]): number {
  const mean = sum(similarities) / similarities.length
  const deviation = Math.sqrt(sum(similarities.map((one) => (one - mean) ** 2)) / similarities.length)
  return mean + 1.5 * deviation
}

function ofLengthOne(vector: number[]): number[] {
  const length = Math.hypot(...vector)
  if (!(length > 0 && Number.isFinite(length))) throw aiFailed('made a vector that points nowhere')
  return vector.map((number) => number / length)
}

const sum = (numbers: number[]) => numbers.reduce((all, number) => all + number, 0)
const dot = (a: number[], b: number[]) => sum(a.map((number, at) => number * b[at]!))

/** Undefined if it fails or takes longer; it goes on for whoever asks next. */
async function within<T>(ms: number, answer: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  try {
    return await Promise.race([answer.catch(() => undefined), late])
  } finally {
    clearTimeout(timer)
  }
}
