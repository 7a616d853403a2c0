import type { Metrics } from '../telemetry/metrics.ts'
import type { Tracer } from '../telemetry/tracing.ts'
import { jsonIn, vectorsIn } from './answers.ts'
import { type Asking, openEndpoint, SaidNo } from './endpoint.ts'
import { aiFailed, isAiProblem } from './errors.ts'

export interface AiSettings {
  /** With its `/v1`, and without a slash at the end. */
  baseUrl: string
  key: string
  model: string
  embeddingsModel: string
}

/** A model of the operator's own choice, behind an OpenAI-compatible address. */
export interface Ai {
  /** Where everything goes that is sent: told to whoever consents to it. */
  host: string
  /** Undefined: it is not asked about pictures. */
  model: string | undefined
  /** Undefined: it makes no vectors. */
  embeddingsModel: string | undefined
  /** What it says of a picture: JSON of any shape, for a model may say anything. */
  chat(question: Question, asking?: Partial<Asking>): Promise<unknown>
  /** A vector for each text, in their order, all of one length. */
  embed(texts: readonly string[], asking?: Partial<Asking>): Promise<number[][]>
  /** Says what is used, and refuses if it does not answer. */
  check(): Promise<string>
}

export interface Question {
  instructions: string
  text: string
  image: { mimeType: string; bytes: Uint8Array }
  /** The JSON Schema that the answer is asked to have. It is a wish: what comes is checked by whoever asks. */
  schema: object
}

const chatSeconds = 120
const embedSeconds = 60
const textsAtOnce = 32
const longestAnswerTokens = 1000

export function openAi(settings: AiSettings, watch: { metrics?: Metrics; tracer?: Tracer } = {}): Ai {
  const endpoint = openEndpoint(settings, watch)
  const model = settings.model || undefined
  const embeddingsModel = settings.embeddingsModel || undefined
  // Not every server knows these; one that has refused them is not asked with them again.
  let takesWishes = true

  return {
    host: endpoint.host,
    model,
    embeddingsModel,

    async chat(question, asking) {
      const plain = { model, messages: messagesOf(question), stream: false }
      const send = (body: object) => endpoint.ask('chat', body, { seconds: chatSeconds, ...asking })
      if (!takesWishes) return jsonIn(await send(plain))
      try {
        return jsonIn(await send({ ...plain, ...wishesOf(question) }))
      } catch (error) {
        if (!isWishRefused(error)) throw error
        const answer = await send(plain)
        takesWishes = false
        return jsonIn(answer)
      }
    },

    async embed(texts, asking) {
      const vectors: number[][] = []
      for (let at = 0; at < texts.length; at += textsAtOnce) {
        const input = texts.slice(at, at + textsAtOnce)
        const body = { model: embeddingsModel, input, encoding_format: 'float' }
        const answer = await endpoint.ask('embeddings', body, { seconds: embedSeconds, ...asking })
        vectors.push(...vectorsIn(answer, input.length))
      }
      if (vectors.some(({ length }) => length !== vectors[0]!.length))
        throw aiFailed('answered vectors of different lengths')
      return vectors
    },

    async check() {
      await endpoint.check()
      return `${[model, embeddingsModel].filter(Boolean).join(', ')} at ${endpoint.host}`
    },
  }
}

const messagesOf = ({ instructions, text, image }: Question) => [
  { role: 'system', content: instructions },
  {
    role: 'user',
    content: [
      { type: 'text', text },
      {
        type: 'image_url',
        image_url: {
          url: `data:${image.mimeType};base64,${Buffer.from(image.bytes).toString('base64')}`,
        },
      },
    ],
  },
]

const wishesOf = ({ schema }: Question) => ({
  max_completion_tokens: longestAnswerTokens,
  response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } },
})

const isWishRefused = (error: unknown) =>
  isAiProblem(error) && error.cause instanceof SaidNo && [400, 422].includes(error.cause.status)
