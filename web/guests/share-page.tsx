import { useCallback, useEffect, useState } from 'react'
import type { Share } from '../../contract/shares.ts'
import { Problem } from '../api.ts'
import { ending, inNumbers, words } from '../words/guests.ts'
import { DownloadAll } from './download-all.tsx'
import { Gallery } from './gallery.tsx'
import { Notice } from './notice.tsx'
import { PasswordForm } from './password-form.tsx'
import { onRefusal, openShare } from './share-api.ts'
import { useSharedAssets } from './use-shared-assets.ts'
import { Viewer } from './viewer.tsx'

/** What somebody without an account sees of a share link. */
export function SharePage() {
  const [share, setShare] = useState<Share | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)

  const open = useCallback((password?: string) => {
    openShare(password).then(
      (opened) => {
        setProblem(null)
        setShare(opened)
      },
      (error) => {
        const refused = error instanceof Problem ? error : new Problem({})
        setProblem(refused)
        // What is open stays so while the line is broken; not when the link is over, or its password is asked for again.
        if (refused.status === 404 || refused.status === 401) setShare(null)
      },
    )
  }, [])
  useEffect(() => open(), [open])
  useEffect(() => onRefusal(() => open()), [open])

  if (share) return <Shared share={share} />
  if (!problem) return null
  if (problem.status === 404) return <Notice title={words.goneTitle} text={words.goneText} />
  if (['password-needed', 'wrong-password', 'too-many-attempts'].includes(problem.code))
    return <PasswordForm problem={problem} onOpen={open} />
  return <Notice title={words.failedTitle} text={words.failedText} onRetry={() => open()} />
}

function Shared({ share }: { share: Share }) {
  const [unanswered, setUnanswered] = useState(false)
  const list = useSharedAssets(unanswered)
  const [shown, setShown] = useState<number | null>(null)
  const { title, note, allows, review, assetCount, expiresAt } = share
  // How many wait for an answer is known once all of them are read.
  const count = unanswered ? inNumbers(list.assets.length) + (list.hasMore ? '+' : '') : inNumbers(assetCount)
  if (list.failed && list.assets.length === 0)
    return <Notice title={words.failedTitle} text={words.failedText} onRetry={list.more} />
  return (
    <main className="share">
      <title>{title}</title>
      <header className="share-head">
        <div>
          <h1>{title}</h1>
          {note && <p className="share-note">{note}</p>}
          <p className="share-facts">
            {words.files(assetCount, inNumbers(assetCount))} · {words.until(ending(expiresAt))}
          </p>
          {review && (
            <button
              type="button"
              className="share-waiting"
              aria-pressed={unanswered}
              onClick={() => setUnanswered(!unanswered)}
            >
              {words.needsAnswer}
            </button>
          )}
        </div>
        {allows === 'download' && assetCount > 0 && <DownloadAll share={share} list={list} />}
      </header>
      {assetCount === 0 ? (
        <p className="share-empty">
          <strong>{words.emptyTitle}</strong>
          {words.emptyText}
        </p>
      ) : unanswered && list.assets.length === 0 && !list.hasMore ? (
        <p className="share-empty" role="status">
          <strong>{words.allAnswered}</strong>
        </p>
      ) : (
        <Gallery list={list} shown={shown} onShow={setShown} />
      )}
      {shown !== null && list.assets[shown] && (
        <Viewer
          list={list}
          at={shown}
          count={count}
          mayDownload={allows === 'download'}
          mayReview={review}
          onGo={setShown}
          onClose={() => setShown(null)}
        />
      )}
    </main>
  )
}
