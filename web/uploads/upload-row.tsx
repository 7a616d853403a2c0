import { CircleAlert, CircleCheck, Pause, Pencil, Play, RotateCw, X } from 'lucide-react'
import { memo } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { fileSize, sizeLimit } from '../words/file-size.ts'
import { useProblemText } from '../words/problem-text.ts'
import { endingOf } from './true-type.ts'
import { can, type Failure, isTrouble, needsAttention, type Upload } from './upload.ts'

/** What a row can ask for; one object for all rows, so that a row is drawn again only when its upload changes. */
export interface RowActions {
  pause(id: string): void
  resume(upload: Upload): void
  retry(id: string): void
  remove(upload: Upload): void
  show(upload: Upload): void
  showTwin(upload: Upload): void
  removeCopy(upload: Upload): void
  describe(upload: Upload): void
  mayDelete: boolean
}

// Plain elements only: a thousand of these pass by while files travel.
export const UploadRow = memo(function UploadRow({
  upload,
  actions,
}: {
  upload: Upload
  actions: RowActions
}) {
  const t = useTranslations('uploads')
  const { name, state, asset } = upload
  const isDone = state === 'done' || state === 'undescribed'
  return (
    <div className="upload-row" data-state={state}>
      <span className="upload-kind" aria-hidden>
        {endingOf(name) || '?'}
      </span>
      <div className="upload-what">
        <div className="upload-name" title={name}>
          {name}
        </div>
        <Status upload={upload} />
        {state === 'sending' && <Bar upload={upload} />}
      </div>
      <div className="upload-acts">
        {isDone && (
          <button
            type="button"
            className="upload-link"
            aria-label={t('showOf', { name })}
            onClick={() => actions.show(upload)}
          >
            {t('show')}
          </button>
        )}
        {state !== 'refused' && !upload.replaces && (
          <button
            type="button"
            className="upload-act"
            aria-label={t('about', { name })}
            title={t('about', { name })}
            onClick={() => actions.describe(upload)}
          >
            <Pencil size={15} />
          </button>
        )}
        <Onward upload={upload} actions={actions} />
        {(can(upload, 'cancel') || can(upload, 'dismiss')) && (
          <button
            type="button"
            className="upload-act"
            aria-label={can(upload, 'cancel') ? t('cancel', { name }) : t('dismiss', { name })}
            title={can(upload, 'cancel') ? t('cancel', { name }) : t('dismiss', { name })}
            onClick={() => actions.remove(upload)}
          >
            <X size={16} />
          </button>
        )}
      </div>
      {asset?.duplicateOf && (
        <div className="upload-more">
          <span>{t('duplicate')}</span>
          <button type="button" className="upload-link" onClick={() => actions.showTwin(upload)}>
            {t('showTwin')}
          </button>
          {/* A new version goes with its asset and all that came before it: that is no copy to remove. */}
          {actions.mayDelete && !upload.replaces && (
            <button type="button" className="upload-link" onClick={() => actions.removeCopy(upload)}>
              {t('removeCopy')}
            </button>
          )}
        </div>
      )}
      {state === 'left' && (
        <div className="upload-more">
          <button type="button" className="upload-link" onClick={() => actions.resume(upload)}>
            {upload.isSent ? t('finish') : t('chooseAgain')}
          </button>
        </div>
      )}
    </div>
  )
})

/** Pause, resume or retry: one place, so that the focus stays when one becomes the other. */
function Onward({ upload, actions }: { upload: Upload; actions: RowActions }) {
  const t = useTranslations('uploads')
  const { id, name, state } = upload
  const act = can(upload, 'pause')
    ? { label: t('pause', { name }), icon: <Pause size={15} />, run: () => actions.pause(id) }
    : state !== 'left' && can(upload, 'resume')
      ? { label: t('resume', { name }), icon: <Play size={15} />, run: () => actions.resume(upload) }
      : can(upload, 'retry') || can(upload, 'retryWords')
        ? { label: t('retry', { name }), icon: <RotateCw size={15} />, run: () => actions.retry(id) }
        : null
  if (!act) return null
  return (
    <button type="button" className="upload-act" aria-label={act.label} title={act.label} onClick={act.run}>
      {act.icon}
    </button>
  )
}

function Status({ upload }: { upload: Upload }) {
  const say = useStatus()
  const { state } = upload
  return (
    <div className="upload-status">
      {state === 'done' && <CircleCheck size={14} aria-hidden className="upload-good" />}
      {needsAttention(upload) && <CircleAlert size={14} aria-hidden className="upload-bad" />}
      <span>{say(upload)}</span>
      {state === 'sending' && <span className="upload-percent">{percentOf(upload)} %</span>}
    </div>
  )
}

function Bar({ upload }: { upload: Upload }) {
  const t = useTranslations('uploads')
  const percent = percentOf(upload)
  return (
    <div
      className="upload-bar"
      role="progressbar"
      aria-label={t('progressOf', { name: upload.name })}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <div style={{ transform: `scaleX(${percent / 100})` }} />
    </div>
  )
}

const percentOf = ({ sentBytes, sizeBytes }: Upload) => Math.floor((100 * sentBytes) / sizeBytes)

/** Where an upload is, in a sentence. */
export function useStatus() {
  const t = useTranslations('uploads')
  const locale = useLocale()
  const because = useFailureWords()
  return (upload: Upload): string => {
    const sent = fileSize(upload.sentBytes, locale)
    const size = fileSize(upload.sizeBytes, locale)
    const reason = upload.failure ? because(upload.failure) : ''
    switch (upload.state) {
      case 'failed':
      case 'refused':
        return reason
      case 'unfinalized':
        return `${t('unfinalized')} ${reason}`
      case 'undescribed':
        return `${t('undescribed')} ${reason}`
      case 'left':
        return upload.isSent ? t('states.leftWhole') : t('states.left', { sent, size })
      case 'paused':
        return upload.arrivedBytes > 0 ? t('states.pausedAt', { sent, size }) : t('states.paused')
      case 'done':
        return upload.replaces ? t('states.replaced') : t('states.done')
      case 'sending':
        return t('states.sending', { sent, size })
      case 'gone':
        return ''
      default:
        return t(`states.${upload.state}`)
    }
  }
}

function useFailureWords() {
  const t = useTranslations('uploads.failures')
  const uploads = useTranslations('uploads')
  const locale = useLocale()
  const problemText = useProblemText()
  return (failure: Failure): string => {
    if (isTrouble(failure)) return uploads(`trouble.${failure.code}.title`)
    const { code, values = {} } = failure
    switch (code) {
      case 'too-large':
        return t(code, { most: values.mostBytes ? sizeLimit(Number(values.mostBytes), locale) : 'none' })
      case 'unsupported-type':
        return t(code, { type: values.type || 'none' })
      case 'storage-trouble':
        return t(code, { status: values.status ?? 0 })
      case 'other':
        return t(code, { detail: problemText(failure.problem) })
      default:
        return t(code)
    }
  }
}
