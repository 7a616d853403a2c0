import { aiFailed } from './errors.ts'

/** The JSON in what a model says: alone, in a code fence, or with words around it. Calls of tools are nothing to us. */
export function jsonIn(answer: unknown): unknown {
  const choice = (answer as { choices?: unknown[] } | null)?.choices?.[0] as Choice | undefined
  if (!choice?.message) throw aiFailed('answered something that is no chat completion')
  if (choice.message.refusal || choice.finish_reason === 'content_filter')
    throw aiFailed('refused to answer about this picture')
  if (choice.finish_reason === 'length') throw aiFailed('answered more than it was asked for')
  const text = textOf(choice.message.content).replace(/^\s*<think>[\s\S]*?<\/think>/, '')
  const fenced = /```(?:json)?\s*([\s\S]*?)```/.exec(text)?.[1] ?? text
  try {
    return JSON.parse(fenced.slice(fenced.indexOf('{'), fenced.lastIndexOf('}') + 1))
  } catch {
    throw aiFailed('answered something that is not JSON')
  }
}

interface Choice {
  finish_reason?: unknown
  message?: { content?: unknown; refusal?: unknown }
}

/** A text, or parts of which some are text. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part) => (typeof part?.text === 'string' ? part.text : '')).join('')
}

/** One vector for each text that was sent, in their order. */
export function vectorsIn(answer: unknown, count: number): number[][] {
  const data = (answer as { data?: unknown } | null)?.data
  if (!Array.isArray(data) || data.length !== count)
    throw aiFailed('answered something that is no embeddings')
  const vectors: number[][] = []
  for (const [at, item] of data.entries()) {
    const { index = at, embedding } = (item ?? {}) as { index?: number; embedding?: unknown }
    if (!isVector(embedding)) throw aiFailed('answered something that is no embeddings')
    vectors[index] = embedding
  }
  if (vectors.length !== count || Object.keys(vectors).length !== count)
    throw aiFailed('answered something that is no embeddings')
  return vectors
}

const isVector = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length > 0 && value.every((number) => Number.isFinite(number))
