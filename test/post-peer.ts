import type { ServerResponse } from 'node:http'
import { json, type Peer, peer, type Received } from './delivery-peers.ts'

/**
 * What goes wrong with the next request of a step. `before`: nothing was done; `after`: it was done, and nobody is told.
 * `passing` and `limit` are the vendor's own ways to say that it failed, or that it is too much.
 */
export type PostMishap =
  | 'cut before'
  | 'cut after'
  | 'hang before'
  | 'hang after'
  | 'passing'
  | 'limit'
  | 'refuse'
  | 'page'

/** A post that anybody can see. */
export interface Post {
  id: string
  text: string
  files: Buffer[]
  madeAt: Date
}

/** Every peer that publishes posts: the last step makes one visible, those before it do not. */
export interface PostPeer {
  peer: Peer
  url: string
  requests: Received[]
  posts: Post[]
  /** The steps in their order. */
  steps: readonly string[]
  suffers(step: string, ...mishaps: PostMishap[]): void
  /** How often a step was asked for. */
  asked(step: string): number
  /** The token is good for nothing any more. */
  expires(): void
  /** What the person who signed in did not agree to. */
  lacks(scope: string): void
}

export interface Answer {
  body: unknown
  status?: number
  headers?: Record<string, string>
}

/** The parts of a peer that all vendors have in common. `isStep` names the step that a request is. */
export async function postPeer(
  vendor: {
    steps: readonly string[]
    stepOf(received: Received): string | undefined
    scopes: Record<string, string>
    /** Whether token, version and what else is in the headers are as they must be; answers itself if not. */
    letsIn(received: Received, response: ServerResponse, state: { expired: boolean }): boolean
    answers: Record<'passing' | 'limit' | 'refuse' | 'scope', (response: ServerResponse) => unknown>
  },
  work: (received: Received, url: URL) => Promise<Answer>,
  responseTo?: Parameters<typeof peer>[1],
) {
  const mishaps = new Map<string, PostMishap[]>()
  const asked = new Map<string, number>()
  const lacking = new Set<string>()
  const state = { expired: false }
  const it = await peer(async (received, response) => {
    if (!vendor.letsIn(received, response, state)) return
    const step = vendor.stepOf(received)
    if (step && lacking.has(vendor.scopes[step]!)) return vendor.answers.scope(response)
    if (step) asked.set(step, (asked.get(step) ?? 0) + 1)
    const mishap = step && mishaps.get(step)?.shift()
    if (mishap === 'cut before') return response.destroy()
    if (mishap === 'hang before') return
    if (mishap === 'page')
      return response.writeHead(503, { 'content-type': 'text/html' }).end('<h1>Sorry</h1>')
    if (mishap === 'passing' || mishap === 'limit' || mishap === 'refuse')
      return vendor.answers[mishap](response)
    const { body, status = 200, headers = {} } = await work(received, new URL(received.path, 'http://vendor'))
    if (mishap === 'cut after') return response.destroy()
    if (mishap === 'hang after') return
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    return json(response, body, status)
  }, responseTo)
  return {
    peer: it,
    url: it.url,
    requests: it.requests,
    steps: vendor.steps,
    suffers: (step: string, ...these: PostMishap[]) =>
      void mishaps.set(step, [...(mishaps.get(step) ?? []), ...these]),
    asked: (step: string) => asked.get(step) ?? 0,
    expires: () => {
      state.expired = true
    },
    lacks: (scope: string) => void lacking.add(scope),
  }
}
