import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Asset } from '../../contract/assets.ts'
import type { Answer, Person } from '../person.ts'
import { pngOfSize } from '../pictures.ts'

/** One request and what became of it; status 0: no answer at all. */
export interface Action {
  at: number
  what: string
  status: number
  code: string
  milliseconds: number
}

/** What was promised of an asset: any of these, where an answer was lost, and else the one. */
interface Promised {
  titles: Set<string>
  folders: Set<string | null>
  trashed: Set<boolean>
  sha256: string
}

export type Work = 'upload' | 'list' | 'edit' | 'move' | 'trash' | 'preview' | 'content' | 'zip' | 'folder'

export interface Load {
  actions: Action[]
  uploads(): number
  /** Lets everybody finish what they began. */
  stop(): Promise<void>
  /** What was acknowledged and is not so. */
  broken(): Promise<string[]>
}

const longWait = 90_000

/** People who work side by side, each on assets of their own, and remember every answer. */
export function startLoad(
  operator: Person,
  { people, works, pauseMs = 20 }: { people: number; works: Work[]; pauseMs?: number },
): Load {
  const actions: Action[] = []
  const promised = new Map<string, Promised>()
  const folders = new Set<string>()
  const { assets } = operator.door
  let over = false

  async function action(what: string, work: () => Promise<Answer>): Promise<Answer> {
    const at = performance.now()
    const answer = await work().catch(() => ({ status: 0, headers: new Headers(), body: {} }))
    const milliseconds = performance.now() - at
    actions.push({ at, what, status: answer.status, code: answer.body?.code ?? '', milliseconds })
    return answer
  }

  /** Asks until there is an answer that asking again would not change. */
  async function settled(what: string, work: () => Promise<Answer>): Promise<Answer> {
    const deadline = performance.now() + longWait
    for (;;) {
      const answer = await action(what, work)
      const again =
        answer.status === 0 || answer.status >= 500 || answer.body?.code === 'finalize-in-progress'
      if (!again || performance.now() > deadline) return answer
      await pause(200)
    }
  }

  async function bytesOf(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    const response = await operator.fetch(path, { headers })
    const body = Buffer.from(await response.arrayBuffer())
    const isProblem = /problem/.test(response.headers.get('content-type') ?? '')
    const { status, headers: told } = response
    return { status, headers: told, body: isProblem ? JSON.parse(body.toString()) : body }
  }

  async function upload(bytes: Buffer): Promise<string | undefined> {
    const key = { 'idempotency-key': randomUUID() }
    const title = `Picture ${randomUUID()}`
    const opened = await settled('open upload', () =>
      operator.opensUpload({ expectedSizeBytes: bytes.length }, key),
    )
    if (opened.status !== 201) return undefined
    const put = await settled('put', async () => {
      const response = await fetch(opened.body.uploadUrl, { method: 'PUT', body: new Uint8Array(bytes) })
      const [, code] = /<Code>(\w+)</.exec(await response.text()) ?? []
      return { status: response.status, headers: response.headers, body: { code } }
    })
    if (put.status !== 200) return undefined
    const made = await settled('finalize', () => operator.finalizes(opened.body.uploadToken, { title }))
    if (made.status !== 201 && made.status !== 200) return undefined
    const asset = made.body as Asset
    promised.set(asset.assetId, {
      titles: new Set([title]),
      folders: new Set([null]),
      trashed: new Set([false]),
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })
    return asset.assetId
  }

  /** A change that was answered is so; one that was not may be so. */
  async function changes<T>(what: string, may: Set<T>, wanted: T, work: () => Promise<Answer>) {
    may.add(wanted)
    const { status } = await action(what, work)
    if (status !== 200) return
    may.clear()
    may.add(wanted)
  }

  async function lives(number: number): Promise<void> {
    const mine: string[] = []
    let folder: string | undefined
    for (let round = number; !over; round++) {
      const work = works[round % works.length]!
      const assetId = mine.at(Math.floor(Math.random() * mine.length))
      const its = assetId ? promised.get(assetId)! : undefined
      const isTrashed = its?.trashed.has(true)
      if (work === 'upload') {
        const id = await upload(pngOfSize(2000 + Math.floor(Math.random() * 200_000), round))
        if (id) mine.push(id)
      } else if (work === 'list') await action('list', () => operator.lists({ everywhere: true, limit: 50 }))
      else if (work === 'folder') {
        const name = randomUUID()
        const headers = { 'idempotency-key': name }
        const made = await settled('make folder', () => operator.post(`${assets}/folders`, { name }, headers))
        if (made.status === 201) {
          folder = made.body.folderId as string
          folders.add(folder)
        }
      } else if (!assetId || !its) continue
      else if (work === 'trash')
        await changes('trash', its.trashed, !isTrashed, () =>
          isTrashed ? operator.restores(assetId) : operator.trashes(assetId),
        )
      else if (isTrashed) continue
      else if (work === 'edit') {
        const title = `Edited ${randomUUID()}`
        await changes('edit', its.titles, title, () => operator.edits(assetId, { title }))
      } else if (work === 'move') {
        const to = its.folders.has(null) ? (folder ?? null) : null
        await changes('move', its.folders, to, () => operator.edits(assetId, { folderId: to }))
      } else if (work === 'preview')
        await action('preview', () =>
          bytesOf(`${assets}/${assetId}/preview?size=thumb`, { accept: 'image/webp' }),
        )
      else if (work === 'content') await action('content', () => bytesOf(`${assets}/${assetId}/content`))
      else if (work === 'zip' && folder)
        await action('zip', () => bytesOf(`${assets}/folders/download?folderId=${folder}`))
      await pause(pauseMs)
    }
  }

  const running = Array.from({ length: people }, (_, number) => lives(number))
  return {
    actions,
    uploads: () => promised.size,
    async stop() {
      over = true
      await Promise.all(running)
    },
    async broken() {
      const wrong: string[] = []
      const queue = promised.entries()
      const looks = async () => {
        for (const [assetId, its] of queue) {
          const { status, body } = await operator.reads(assetId)
          if (status !== 200) {
            wrong.push(`${assetId} answers ${status}`)
            continue
          }
          if (!its.titles.has(body.title)) wrong.push(`${assetId} has another title`)
          if (!its.folders.has(body.folderId)) wrong.push(`${assetId} is in another folder`)
          const isTrashed = Boolean(body.trashedAt)
          if (!its.trashed.has(isTrashed)) wrong.push(`${assetId} is ${isTrashed ? '' : 'not '}in the trash`)
          const content = await bytesOf(`${assets}/${assetId}/content`)
          const sha256 = createHash('sha256').update(content.body).digest('hex')
          if (content.status !== 200 || sha256 !== its.sha256) wrong.push(`${assetId} has other bytes`)
        }
      }
      await Promise.all(Array.from({ length: 4 }, looks))
      for (const folderId of folders) {
        const { status } = await operator.lists({ folderId })
        if (status !== 200) wrong.push(`${folderId} answers ${status}`)
      }
      return wrong
    },
  }
}

/** How often each thing was answered how. */
export function summary(actions: Action[]): string {
  const counts = new Map<string, number>()
  for (const { what, status, code } of actions) {
    const name = `${what} ${status || 'no answer'}${code && ` ${code}`}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts]
    .sort()
    .map(([name, count]) => `${name}: ${count}`)
    .join(', ')
}
