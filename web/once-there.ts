import { reportReached } from './connection.ts'
import { createStore } from './store.ts'
import { tryingAgain } from './try-again.ts'

/** A part of the app that was asked for and did not come. */
export interface MissingPart {
  isPage: boolean
  again(): Promise<void>
}

export const missingParts = createStore<readonly MissingPart[]>([])

/** Whether the server has another version of the app by now: what is missing of this one will not come. */
export const hasNewerVersion = createStore(false)

/** Whether somebody is on the way to another page: one that was only read ahead is not missed. */
export const isLeaving = createStore(false)

/** How what was opened and is not there yet is cancelled. */
export const cancels = createStore<readonly (() => void)[]>([])

/**
 * Loads a part of the app. One that does not come is said to be missing, and waited for, however often it is tried, unless
 * nobody wants it any more.
 */
export const onceThere = <Room>(
  load: () => Promise<Room>,
  { isPage = false, unwanted }: { isPage?: boolean; unwanted?: AbortSignal } = {},
): Promise<Room> =>
  load().catch(
    () =>
      new Promise<Room>((resolve) => {
        if (unwanted?.aborted) return
        let isBusy = false
        const trying = tryingAgain(again)
        const part = { isPage, again }
        missingParts.set([...missingParts.get(), part])
        unwanted?.addEventListener('abort', drop)
        failed()

        async function again() {
          if (isBusy) return
          isBusy = true
          trying.stop()
          try {
            resolve(await load())
            drop()
          } catch {
            failed()
          } finally {
            isBusy = false
          }
        }

        function drop() {
          trying.stop()
          missingParts.set(missingParts.get().filter((other) => other !== part))
        }

        function failed() {
          if (unwanted?.aborted) return
          trying.failed()
          void lookForNewerVersion()
        }
      }),
  )

async function lookForNewerVersion() {
  const script = document.querySelector('script[type=module][src]')?.getAttribute('src')
  try {
    const page = await fetch(location.href, { cache: 'no-store' })
    reportReached(true)
    if (page.ok && script && !(await page.text()).includes(script)) hasNewerVersion.set(true)
  } catch {
    // Nothing is known; it is tried again when the server is back.
    reportReached(false)
  }
}
