import { useCallback, useEffect, useRef, useState } from 'react'
import { isUploadVerdict } from '../../contract/media-types.ts'
import { Problem } from '../api.ts'
import { asked } from '../uploads/new-upload.ts'
import { slots } from '../uploads/slots.ts'
import { isSameFile } from '../uploads/upload.ts'
import { words } from '../words/guests.ts'
import { cancelFile, sayDone } from './request-api.ts'
import { chosenFiles, type LeftBehind, leftBehind, savedFiles } from './saved-files.ts'
import { type Begun, type From, NotTaken, sendFile } from './send-file.ts'

export interface Sending {
  id: number
  name: string
  sizeBytes: number
  lastModified: number
  /** Null of one of an earlier visit, until it is chosen again. */
  file: File | null
  from: From
  begun: Begun | null
  state: 'left' | 'queued' | 'sending' | 'waiting-for-line' | 'sent' | 'failed' | 'declined'
  sentBytes: number
  why: string | null
  /** It may go better another time. */
  mayRetry: boolean
}

const atOnce = 2
const notSent: Sending['state'][] = ['left', 'queued', 'sending', 'waiting-for-line']

/** The files of this browser, each on its way. Nobody sees here what others have sent. */
export function useSending() {
  const [rows, setRows] = useState<Sending[]>([])
  const known = useRef<Sending[]>([])
  const next = useRef(0)
  const line = useRef(slots(atOnce))
  const running = useRef(new Map<number, AbortController>())

  const write = useCallback((change: (rows: Sending[]) => Sending[]) => {
    known.current = change(known.current)
    setRows(known.current)
    const chosen = known.current.filter(({ begun, state }) => !begun && notSent.includes(state))
    chosenFiles.keep(
      chosen.map(({ name, sizeBytes, lastModified, from: { sender } }) => ({
        ...{ name, sizeBytes, lastModified, sender },
      })),
    )
  }, [])
  const change = useCallback(
    (id: number, said: Partial<Sending>) =>
      write((before) => before.map((row) => (row.id === id ? { ...row, ...said } : row))),
    [write],
  )
  const add = useCallback(
    (given: Omit<Sending, 'id' | 'why' | 'mayRetry'> & Partial<Sending>): Sending => {
      const row = { id: next.current++, why: null, mayRetry: false, ...given }
      write((before) => [...before, row])
      return row
    },
    [write],
  )

  const run = useCallback(
    ({ id, file, from, ...row }: Sending) => {
      const stop = new AbortController()
      running.current.set(id, stop)
      let { begun } = row
      const onBegun = (now: Begun) => {
        begun = now
        change(id, { begun })
        savedFiles.save({ ...begun, ...asked(file!), sender: from.sender })
      }
      void line.current(async () => {
        if (stop.signal.aborted) return
        change(id, { state: 'sending', why: null })
        try {
          if (!file) await sayDone(begun!.uploadToken)
          else
            await sendFile(file, from, begun, {
              signal: stop.signal,
              onBegun,
              onProgress: (sentBytes) => change(id, { sentBytes }),
              onLine: (isThere) => change(id, { state: isThere ? 'sending' : 'waiting-for-line' }),
            })
          change(id, { state: 'sent', sentBytes: row.sizeBytes })
          // It is remembered on, in case it is declined.
          if (begun) savedFiles.release(begun.uploadSessionId)
        } catch (error) {
          const why = whyOf(error)
          if (begun && (stop.signal.aborted || !why.mayRetry)) savedFiles.forget(begun.uploadSessionId)
          if (!stop.signal.aborted) change(id, { state: 'failed', ...why })
        } finally {
          running.current.delete(id)
        }
      })
    },
    [change],
  )

  useEffect(() => {
    const recall = (one: LeftBehind) => {
      const { uploadSessionId, uploadToken, sender, ...file } = one.saved
      if (known.current.some(({ begun }) => begun?.uploadSessionId === uploadSessionId)) return
      const row = {
        ...{ ...file, file: null, from: { sender }, begun: { uploadSessionId, uploadToken } },
        sentBytes: one.state === 'left' ? one.sentBytes : file.sizeBytes,
      }
      if (one.state === 'arrived') run(add({ ...row, state: 'queued' }))
      else if (one.state === 'declined') add({ ...row, state: 'declined', why: one.note })
      else add({ ...row, state: one.state })
    }
    for (const { sender, ...file } of known.current.length > 0 ? [] : chosenFiles.all())
      add({ ...file, file: null, from: { sender }, begun: null, state: 'left', sentBytes: 0 })
    leftBehind().then((all) => all.forEach(recall))
  }, [add, run])

  const send = useCallback(
    (files: File[], from: From) => {
      for (const file of files) {
        const same = known.current.filter((row) => isSameFile(row, asked(file)))
        // Whoever chooses all of them once more means the rest.
        if (same.some(({ state }) => state === 'sent')) continue
        const left = same.find(({ state }) => state === 'left')
        if (left) change(left.id, { file, from, state: 'queued' })
        run(
          left
            ? { ...left, file, from }
            : add({ ...asked(file), file, from, begun: null, state: 'queued', sentBytes: 0 }),
        )
      }
    },
    [add, change, run],
  )

  const retry = useCallback(
    (row: Sending) => {
      change(row.id, { state: 'queued', why: null })
      run(row)
    },
    [change, run],
  )

  const remove = useCallback(
    ({ id, begun, state }: Sending) => {
      running.current.get(id)?.abort()
      if (begun) savedFiles.forget(begun.uploadSessionId)
      if (begun && state === 'left') cancelFile(begun.uploadToken).catch(() => {}) // it ends by itself too
      write((before) => before.filter((row) => row.id !== id))
    },
    [write],
  )

  return { rows, send, retry, remove }
}

function whyOf(error: unknown): Pick<Sending, 'why' | 'mayRetry'> {
  if (error instanceof NotTaken) return { why: words.refused[error.why], mayRetry: false }
  const code = error instanceof Problem ? error.code : 'unreachable'
  const known = Object.hasOwn(words.refused, code)
  return {
    why: known ? words.refused[code as keyof typeof words.refused] : words.fileNotSent,
    mayRetry: !isUploadVerdict(code) && code !== 'not-found',
  }
}
