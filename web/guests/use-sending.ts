import { useCallback, useRef, useState } from 'react'
import { isUploadVerdict } from '../../contract/media-types.ts'
import { Problem } from '../api.ts'
import { slots } from '../uploads/slots.ts'
import { words } from '../words/guests.ts'
import { type From, NotTaken, sendFile } from './send-file.ts'

export interface Sending {
  id: number
  file: File
  from: From
  state: 'queued' | 'sending' | 'waiting-for-line' | 'sent' | 'failed'
  sentBytes: number
  why: string | null
  /** It may go better another time. */
  mayRetry: boolean
}

const atOnce = 2

/** The files of this visit, each on its way. Nobody sees here what others have sent. */
export function useSending() {
  const [rows, setRows] = useState<Sending[]>([])
  const next = useRef(0)
  const line = useRef(slots(atOnce))
  const running = useRef(new Map<number, AbortController>())

  const change = useCallback(
    (id: number, said: Partial<Sending>) =>
      setRows((before) => before.map((row) => (row.id === id ? { ...row, ...said } : row))),
    [],
  )

  const run = useCallback(
    (id: number, file: File, from: From) => {
      const stop = new AbortController()
      running.current.set(id, stop)
      void line.current(async () => {
        if (stop.signal.aborted) return
        change(id, { state: 'sending', sentBytes: 0, why: null })
        try {
          await sendFile(file, from, {
            signal: stop.signal,
            onProgress: (sentBytes) => change(id, { sentBytes }),
            onLine: (isThere) => change(id, { state: isThere ? 'sending' : 'waiting-for-line' }),
          })
          change(id, { state: 'sent', sentBytes: file.size })
        } catch (error) {
          if (!stop.signal.aborted) change(id, { state: 'failed', ...whyOf(error) })
        } finally {
          running.current.delete(id)
        }
      })
    },
    [change],
  )

  const send = useCallback(
    (files: File[], from: From) => {
      for (const file of files) {
        const id = next.current++
        const row = { id, file, from, state: 'queued', sentBytes: 0, why: null, mayRetry: false } as const
        setRows((before) => [...before, row])
        run(id, file, from)
      }
    },
    [run],
  )

  const retry = useCallback(
    ({ id, file, from }: Sending) => {
      change(id, { state: 'queued', why: null })
      run(id, file, from)
    },
    [change, run],
  )

  const remove = useCallback(({ id }: Sending) => {
    running.current.get(id)?.abort()
    setRows((before) => before.filter((row) => row.id !== id))
  }, [])

  return { rows, send, retry, remove }
}

function whyOf(error: unknown): Pick<Sending, 'why' | 'mayRetry'> {
  if (error instanceof NotTaken) return { why: words.refused['unsupported-type'], mayRetry: false }
  const code = error instanceof Problem ? error.code : 'unreachable'
  const known = Object.hasOwn(words.refused, code)
  return {
    why: known ? words.refused[code as keyof typeof words.refused] : words.fileNotSent,
    mayRetry: !isUploadVerdict(code) && code !== 'not-found',
  }
}
