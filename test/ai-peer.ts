import type { IncomingMessage, ServerResponse } from 'node:http'
import { json, type Peer, peer } from './delivery-peers.ts'

export const aiKey = 'canary-key-of-the-ai-endpoint'
export const aiModel = 'llava:test'
export const embeddingsModel = 'nomic:test'

/** What a model says, or how its server misbehaves instead. */
export type AiAnswer = string | object | ((response: ServerResponse, request: IncomingMessage) => unknown)

export interface AiPeer extends Peer {
  environment: Record<'AI_BASE_URL' | 'AI_KEY' | 'AI_MODEL' | 'AI_EMBEDDINGS_MODEL', string>
  /** The bodies of all questions about pictures. */
  questions(): Question[]
  /** How it answers from now on; a list: one after the other, the last one from then on. */
  says(...answers: AiAnswer[]): void
}

interface Question {
  model: string
  messages: {
    role: string
    content: string | { type: string; text?: string; image_url?: { url: string } }[]
  }[]
  [wish: string]: unknown
}

const unless = { title: 'A red square', altText: 'A square that is red all over.', tags: ['red', 'square'] }

/** A server that behaves like those of OpenAI, Ollama and vLLM where we lean on it, unless it is told not to. */
export async function aiPeer(): Promise<AiPeer> {
  let answers: AiAnswer[] = [unless]
  const server = await peer(async ({ method, path, headers, body }, response, request) => {
    if (headers.authorization !== `Bearer ${aiKey}`)
      return json(response, { error: { message: 'Wrong key.' } }, 401)
    if (method === 'GET' && path === '/v1/models')
      return json(response, { data: [{ id: aiModel }, { id: embeddingsModel }] })
    if (path === '/v1/embeddings') {
      const { input } = JSON.parse(body.toString()) as { input: string[] }
      const next = answers.length > 1 ? answers.shift()! : answers[0]!
      if (typeof next === 'function') return next(response, request)
      return json(response, {
        data: input.map((text, index) => ({ index, embedding: vectorOf(text) })).reverse(),
      })
    }
    if (path !== '/v1/chat/completions') return json(response, { error: { message: 'Not here.' } }, 404)
    const next = answers.length > 1 ? answers.shift()! : answers[0]!
    if (typeof next === 'function') return next(response, request)
    return json(response, completion(typeof next === 'string' ? next : JSON.stringify(next)))
  })
  return {
    ...server,
    environment: {
      AI_BASE_URL: `${server.url}/v1`,
      AI_KEY: aiKey,
      AI_MODEL: aiModel,
      AI_EMBEDDINGS_MODEL: embeddingsModel,
    },
    questions: () =>
      server.requests
        .filter(({ path }) => path === '/v1/chat/completions')
        .map(({ body }) => JSON.parse(body.toString())),
    says(...next) {
      answers = next.length > 0 ? next : [unless]
    },
  }
}

export const completion = (content: unknown, more: object = {}, message: object = {}) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  choices: [
    { index: 0, finish_reason: 'stop', message: { role: 'assistant', content, ...message }, ...more },
  ],
})

/** Texts with words in common are near each other: each word adds to one of 64 directions. */
export function vectorOf(text: string): number[] {
  const vector = new Array<number>(64).fill(0.001)
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    let at = 7
    for (const letter of word) at = (at * 31 + letter.codePointAt(0)!) % 64
    vector[at]! += 1
  }
  return vector
}
