import { LRUCache } from 'lru-cache'
import type { Parts } from '../library.ts'
import { type AgentApp, unknownApp } from './app-metadata.ts'
import { documentAt, isDocumentUrl } from './document.ts'
import { registeredApp } from './registration.ts'

export type Apps = (id: string) => Promise<AgentApp>

const minute = 60_000

/** By id: one that has registered here, or one whose id is the address of its document. A node reads that every ten minutes. */
export function openApps(parts: Parts): Apps {
  const documents = new LRUCache<string, Promise<AgentApp>>({ max: 500, ttl: 10 * minute })
  const read = (url: string) => {
    const kept = documents.get(url)
    if (kept) return kept
    const answer = documentAt(parts, url)
    documents.set(url, answer)
    // Asked again soon, and not at once: whoever has a page open does not become a hammer.
    answer.catch(() => documents.set(url, answer, { ttl: minute / 2 }))
    return answer
  }
  return async (id) => {
    if (isDocumentUrl(parts.config, id)) return read(id)
    const app = await registeredApp(parts.db, id)
    if (!app) throw unknownApp('No agent has registered here under that id. Have it register again.')
    return app
  }
}
