import { Check, CircleAlert, Heart, Upload, X } from 'lucide-react'
import { type DragEvent, useCallback, useEffect, useRef, useState } from 'react'
import { allMediaTypes, endingsOf, namesOfTypes } from '../../contract/media-types.ts'
import type { OpenedRequest } from '../../contract/upload-requests.ts'
import { Problem } from '../api.ts'
import { useAskBeforeLeaving } from '../ui/use-ask-before-leaving.ts'
import { fileSize, sizeLimit } from '../words/file-size.ts'
import { ending, inNumbers, language, words } from '../words/guests.ts'
import { NameField, useNameFirst } from './name-field.tsx'
import { Notice } from './notice.tsx'
import { readRequest } from './request-api.ts'
import { keptNote } from './saved-files.ts'
import { type Sending, useSending } from './use-sending.ts'

const accept = [...allMediaTypes, ...allMediaTypes.flatMap(endingsOf).map((ending) => `.${ending}`)].join(',')

const underWay: Sending['state'][] = ['queued', 'sending', 'waiting-for-line']

/** Where somebody without an account drops files for an agency. */
export function UploadPage() {
  const [request, setRequest] = useState<OpenedRequest | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const read = useCallback(() => {
    readRequest().then(
      (read) => {
        setProblem(null)
        setRequest(read)
      },
      (error) => setProblem(error instanceof Problem ? error : new Problem({})),
    )
  }, [])
  useEffect(read, [read])
  if (request && problem?.status !== 404) return <Requested request={request} onChange={read} />
  if (!problem) return null
  if (problem.status === 404) return <Notice title={words.goneTitle} text={words.goneText} />
  return <Notice title={words.failedTitle} text={words.failedText} onRetry={read} />
}

function Requested({ request, onChange }: { request: OpenedRequest; onChange(): void }) {
  const { rows, send, retry, remove } = useSending()
  const [typed, setSender] = useState<string | null>(null)
  const [note, setNote] = useState(keptNote.read)
  useEffect(() => keptNote.keep(note), [note])
  const [kept, setKept] = useState<File[]>([])
  const [isOver, setIsOver] = useState(false)
  const files = useRef<HTMLInputElement>(null)
  const isBusy = rows.some(({ state }) => underWay.includes(state))
  useAskBeforeLeaving(isBusy || kept.length > 0)
  // What came, went or was refused leaves more or less room; or the link has ended.
  const settled = rows.filter(({ state }) => state === 'sent' || state === 'failed').length
  useEffect(() => {
    if (rows.length + settled > 0) onChange()
  }, [rows.length, settled, onChange])
  // Who comes back to send the rest need not say again who they are.
  const sender = typed ?? rows[0]?.from.sender ?? ''
  const { hasName, ...named } = useNameFirst(sender)

  /** What was given before the name waits for it. */
  function take(given: Iterable<File> = []) {
    const all = [...kept, ...given]
    const mayGo = all.length > 0 && hasName()
    if (mayGo) send(all, { sender: sender.trim(), note: note.trim() })
    setKept(mayGo ? [] : all)
  }
  function drop(event: DragEvent) {
    event.preventDefault()
    setIsOver(false)
    take(event.dataTransfer.files)
  }

  const now = rows.filter(({ state }) => state !== 'declined')
  const sent = now.filter(({ state }) => state === 'sent').length
  const refused = now.filter(({ state }) => state === 'failed').length
  const isDone = sent > 0 && !isBusy && !rows.some(({ state }) => state === 'left')
  return (
    <main className="upload">
      <title>{request.title}</title>
      <h1>{request.title}</h1>
      {request.note && <p className="upload-note">{request.note}</p>}
      <p className="upload-facts">
        {words.forClient(request.clientName)} · {words.openUntil(ending(request.expiresAt))}
      </p>
      <NameField {...named} name={sender} maxLength={200} onChange={setSender} />
      <label className="guest-field">
        {words.yourNote}
        <textarea rows={2} maxLength={2000} value={note} onChange={(event) => setNote(event.target.value)} />
      </label>
      <section
        className="upload-drop"
        aria-label={words.dropHere}
        data-over={isOver}
        onDragOver={(event) => {
          event.preventDefault()
          setIsOver(true)
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
      >
        <Upload size={28} aria-hidden className="guest-icon" />
        <p aria-live="polite">
          {kept.length > 0 ? words.kept(kept.length, inNumbers(kept.length)) : words.dropHere}
        </p>
        <button
          type="button"
          className="guest-button"
          onClick={() => (kept.length > 0 ? take() : hasName() && files.current?.click())}
        >
          {kept.length > 0 ? words.sendKept(kept.length, inNumbers(kept.length)) : words.chooseFiles}
        </button>
        <input
          ref={files}
          type="file"
          multiple
          hidden
          accept={accept}
          aria-label={words.chooseFiles}
          onChange={(event) => {
            take(event.target.files ?? [])
            event.target.value = ''
          }}
        />
        <p className="upload-types">
          {words.taken(namesOfTypes().join(', '), most(request, 'image/'), most(request, 'video/'))}
          <br />
          {words.room(
            request.filesLeft,
            inNumbers(request.filesLeft),
            sizeLimit(request.bytesLeft, language),
          )}
        </p>
      </section>
      {rows.length > 0 && (
        <section aria-label={words.yourFiles}>
          {now.length > 0 && (
            <p className="upload-count" role="status">
              {words.sentOf(sent, now.length)}
            </p>
          )}
          <ul className="upload-rows">
            {rows.map((row) => (
              <Row key={row.id} row={row} onRetry={() => retry(row)} onRemove={() => remove(row)} />
            ))}
          </ul>
        </section>
      )}
      {isDone && (
        <section className="upload-thanks" role="status" ref={bringIntoSight}>
          <Heart size={22} aria-hidden />
          <div>
            <h2>{words.thanksTitle}</h2>
            <p>{words.arrived(sent, inNumbers(sent))}</p>
            {refused > 0 && <p>{words.notArrived(refused, inNumbers(refused))}</p>}
          </div>
        </section>
      )}
    </main>
  )
}

/** On a short screen it stands below what was filled in. */
const bringIntoSight = (thanks: HTMLElement | null) => thanks?.scrollIntoView({ block: 'nearest' })

/** The largest that a file of this kind may be. */
function most({ maxSizeBytes, bytesLeft }: OpenedRequest, kind: string) {
  const types = allMediaTypes.filter((type) => type.startsWith(kind))
  return sizeLimit(Math.min(bytesLeft, Math.max(...types.map((type) => maxSizeBytes[type] ?? 0))), language)
}

function Row({ row, onRetry, onRemove }: { row: Sending; onRetry(): void; onRemove(): void }) {
  const { name, sizeBytes, state, sentBytes, why, mayRetry } = row
  const percent = `${Math.floor((100 * sentBytes) / Math.max(1, sizeBytes))} %`
  const said = {
    left: words.left(percent),
    queued: fileSize(sizeBytes, language),
    sending: percent,
    'waiting-for-line': words.waitingForLine,
    sent: words.sent,
    failed: why,
    declined: words.declined,
  }[state]
  return (
    <li className="upload-row" data-state={state}>
      <span className="upload-name">{name}</span>
      <span className="upload-state">
        {state === 'sent' && <Check size={16} aria-hidden />}
        {(state === 'failed' || state === 'declined') && <CircleAlert size={16} aria-hidden />}
        {said}
      </span>
      {state !== 'sent' && (
        <span className="upload-acts">
          {state === 'failed' && mayRetry && (
            <button type="button" onClick={onRetry}>
              {words.retry}
            </button>
          )}
          <button type="button" aria-label={words.remove(name)} onClick={onRemove}>
            <X size={18} aria-hidden />
          </button>
        </span>
      )}
      {state === 'declined' && why && <p className="upload-why">{why}</p>}
      {(state === 'sending' || state === 'waiting-for-line' || state === 'left') && (
        <progress value={sentBytes} max={sizeBytes} aria-label={name} />
      )}
    </li>
  )
}
