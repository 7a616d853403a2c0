import type { BatchJob, NewBatch } from '../../contract/batches.ts'
import { api, isProblem } from '../api.ts'
import type { Library } from '../library/library.tsx'
import { withProgress } from '../library/progress.ts'

const everyMs = 400
/** By this page. */
const followed = new Set<string>()

/** What the server does to very many, by name: it goes on without this page, and is found again after a reload. */
export async function runJob(library: Library, text: string, batch: NewBatch): Promise<BatchJob> {
  return follow(library, text, await api.post<BatchJob>(`${library.base}/batches`, batch))
}

export async function undoJob(library: Library, text: string, { batchId }: BatchJob): Promise<BatchJob> {
  return follow(library, text, await api.post<BatchJob>(`${library.base}/batches/${batchId}/undo`))
}

/** Shows how far it is until it has ended, and stops it if the person says so. */
export async function follow(library: Library, text: string, job: BatchJob): Promise<BatchJob> {
  const path = `${library.base}/batches/${job.batchId}`
  sessionStorage.setItem(keyOf(library), job.batchId)
  followed.add(job.batchId)
  const ended = await withProgress(text, job.total, async (step, signal) => {
    let now = job
    while (now.state === 'running') {
      if (signal.aborted) now = await api.post<BatchJob>(`${path}/cancel`)
      else await pause(signal)
      // It goes on while there is no connection.
      now = await api.get<BatchJob>(path).catch((error) => {
        if (isProblem(error, 'unreachable')) return now
        throw error
      })
      step(now.done)
    }
    return now
  })
  sessionStorage.removeItem(keyOf(library))
  return ended
}

/** What was under way when the page was left. */
export async function jobLeft(library: Library): Promise<BatchJob | undefined> {
  const batchId = sessionStorage.getItem(keyOf(library))
  if (!batchId || followed.has(batchId)) return undefined
  return api.get<BatchJob>(`${library.base}/batches/${batchId}`).catch(() => {
    sessionStorage.removeItem(keyOf(library))
    return undefined
  })
}

const keyOf = ({ base }: Library) => `batch ${base}`

const pause = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(done, everyMs)
    signal.addEventListener('abort', done, { once: true })
  })
