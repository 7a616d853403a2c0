import { Button, Checkbox } from '@mantine/core'
import { FileImage, Play, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { useFormatter, useLocale, useTranslations } from 'use-intl'
import { isFilm } from '../../contract/media-types.ts'
import { mostDecided, type WaitingFile } from '../../contract/upload-requests.ts'
import { Problem } from '../api.ts'
import { useLibrary } from '../library/library.tsx'
import { PictureOrIcon } from '../ui/picture-or-icon.tsx'
import { ShowMore } from '../ui/show-more.tsx'
import { toast } from '../ui/toast.tsx'
import { fileSize } from '../words/file-size.ts'
import { useProblemText } from '../words/problem-text.ts'
import { AcceptDialog } from './accept-dialog.tsx'
import { DeclineDialog } from './decline-dialog.tsx'
import { type Decision, useDecide, useWaitingRoom, waitingPreviewUrl } from './upload-requests.ts'
import { WaitingLook } from './waiting-look.tsx'

/** What guests have sent: to be looked at, and accepted or declined, all or some. */
export function WaitingFiles() {
  const t = useTranslations('uploadRequests')
  const problemText = useProblemText()
  const list = useWaitingRoom()
  const decide = useDecide()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  // What arrives meanwhile was not looked at: it is no part of what is decided. What goes meanwhile is named all the same.
  const [deciding, setDeciding] = useState<{ how: Decision['how']; files: WaitingFile[] } | null>(null)
  const [lookedAt, setLookedAt] = useState<WaitingFile | null>(null)
  const files = list.data?.pages.flatMap((page) => page.files) ?? []
  const picked = files.filter(({ uploadSessionId }) => chosen.has(uploadSessionId))
  const decideOn = (how: Decision['how']) =>
    setDeciding({ how, files: (picked.length > 0 ? picked : files).slice(0, mostDecided) })
  if (files.length === 0 && !deciding) return null

  function run(decision: Decision) {
    decide.mutate(decision, {
      onSuccess({ results }) {
        setChosen(new Set())
        const done = results.filter(({ ok }) => ok).length
        const problems = results.flatMap((result) => result.problem ?? [])
        const gone = problems.filter(({ code }) => goneCodes.includes(code)).length
        const problem = problems.find(({ code }) => !goneCodes.includes(code))
        if (done > 0) toast({ text: t(decision.how === 'accept' ? 'accepted' : 'declined', { count: done }) })
        if (gone > 0) toast({ text: t('decidedMeanwhile', { count: gone }) })
        if (problem)
          toast({ text: t('notDecided', { why: problemText(new Problem(problem as Problem)) }), bad: true })
      },
      onError: (error) => toast({ text: problemText(error), bad: true }),
      onSettled: () => setDeciding(null),
    })
  }
  const toggle = (id: string) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    setChosen(next)
  }
  const uploadSessionIds = deciding?.files.map((file) => file.uploadSessionId) ?? []
  const dialog = {
    names: deciding?.files.map((file) => file.originalFilename) ?? [],
    busy: decide.isPending,
    onClose: () => setDeciding(null),
  }
  return (
    <section aria-labelledby="waiting-room" className="waiting-room">
      <div className="waiting-head">
        <h2 id="waiting-room">
          {t('waiting', { count: list.data?.pages.at(-1)?.waitingFiles ?? files.length })}
        </h2>
        <div className="waiting-acts">
          <Button variant="default" onClick={() => decideOn('decline')}>
            {picked.length > 0 ? t('declineSome', { count: picked.length }) : t('declineAll')}
          </Button>
          <Button onClick={() => decideOn('accept')}>
            {picked.length > 0 ? t('acceptSome', { count: picked.length }) : t('acceptAll')}
          </Button>
        </div>
      </div>
      <ul className="waiting-files">
        {files.map((file) => (
          <Waiting
            key={file.uploadSessionId}
            file={file}
            isChosen={chosen.has(file.uploadSessionId)}
            onToggle={() => toggle(file.uploadSessionId)}
            onLook={() => setLookedAt(file)}
          />
        ))}
      </ul>
      <ShowMore list={list} />
      {lookedAt && <WaitingLook file={lookedAt} onClose={() => setLookedAt(null)} />}
      {deciding?.how === 'accept' && (
        <AcceptDialog
          {...dialog}
          askedFor={new Set(deciding.files.map(({ folderId }) => folderId))}
          onAccept={(wish) => run({ how: 'accept', wish: { uploadSessionIds, ...wish } })}
        />
      )}
      {deciding?.how === 'decline' && (
        <DeclineDialog
          {...dialog}
          onDecline={(note) => run({ how: 'decline', wish: { uploadSessionIds, note } })}
        />
      )}
    </section>
  )
}

/** Of a file that somebody else has accepted or declined, or whose time is over. */
const goneCodes = ['not-found', 'upload-not-found', 'upload-finalized', 'upload-expired']

function Waiting({
  file,
  isChosen,
  onToggle,
  onLook,
}: {
  file: WaitingFile
  isChosen: boolean
  onToggle(): void
  onLook(): void
}) {
  const t = useTranslations('uploadRequests')
  const format = useFormatter()
  const locale = useLocale()
  const library = useLibrary()
  const { originalFilename, mimeType, sender, note, sizeBytes, hasPreview, receivedAt } = file
  return (
    <li className="waiting-file" data-chosen={isChosen}>
      <button
        type="button"
        className="waiting-picture"
        aria-label={t(isFilm(mimeType) ? 'play' : 'look', { name: originalFilename })}
        onClick={onLook}
      >
        {hasPreview ? (
          <PictureOrIcon src={waitingPreviewUrl(library, file)} alt="" loading="lazy" />
        ) : (
          <FileImage size={32} aria-hidden />
        )}
        {isFilm(mimeType) && <Play size={28} className="waiting-play" fill="currentColor" aria-hidden />}
      </button>
      <Checkbox checked={isChosen} onChange={onToggle} label={originalFilename} className="waiting-name" />
      <small>
        {sender} · {fileSize(sizeBytes, locale)} · {format.relativeTime(new Date(receivedAt), new Date())}
      </small>
      {note && <small className="waiting-note">{note}</small>}
      {file.scanned && (
        <small className="waiting-scanned">
          <ShieldCheck size={13} aria-hidden /> {t('scanned')}
        </small>
      )}
    </li>
  )
}
