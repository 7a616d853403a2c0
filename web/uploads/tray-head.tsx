import { Pause, Play } from 'lucide-react'
import { useLocale, useTranslations } from 'use-intl'
import { fileSize } from '../words/file-size.ts'
import { can, type Totals, type Upload } from './upload.ts'
import type { Snapshot } from './upload-store.ts'
import { useUploading } from './uploading.tsx'

export function Head({
  snapshot,
  totals,
  onToggle,
  children,
}: {
  snapshot: Snapshot
  totals: Totals
  onToggle(): void
  children: React.ReactNode
}) {
  const t = useTranslations('uploads')
  const heading = useHeading(snapshot, totals)
  const pace = usePace(snapshot, totals)
  const percent = totals.sizeBytes ? Math.floor((100 * totals.sentBytes) / totals.sizeBytes) : 100
  return (
    <header className="upload-head">
      <div className="upload-head-line">
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: a larger aim for the finger; the button is there for keys */}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the same */}
        <div className="upload-head-words" onClick={onToggle}>
          <h2>{heading}</h2>
          {pace && <p>{pace}</p>}
        </div>
        {children}
      </div>
      {totals.underWay > 0 && (
        <div
          className="upload-bar"
          role="progressbar"
          aria-label={t('progress')}
          aria-valuenow={percent}
          aria-valuemin={0}
          aria-valuemax={100}
        >
          <div style={{ transform: `scaleX(${percent / 100})` }} />
        </div>
      )}
    </header>
  )
}

function useHeading({ uploads, trouble }: Snapshot, { wanted, done, underWay, attention }: Totals): string {
  const t = useTranslations('uploads.heading')
  const some = (state: Upload['state']) => uploads.some((upload) => upload.state === state)
  if (trouble) return t('stopped')
  if (some('asking') && !some('sending') && !some('checking')) return t('asking')
  if (underWay > 0 && !some('sending') && !some('checking') && some('offline')) return t('waiting')
  if (underWay > 0) return t('uploading', { done, count: wanted })
  if (some('paused')) return t('paused', { done, count: wanted })
  if (some('left')) return t('left', { count: uploads.filter(({ state }) => state === 'left').length })
  if (attention > 0) return t('attention', { count: attention })
  return t('done', { count: done })
}

function usePace({ uploads, bytesPerSecond }: Snapshot, { sentBytes, sizeBytes }: Totals): string {
  const t = useTranslations('uploads')
  const locale = useLocale()
  if (!uploads.some(({ state }) => state === 'sending') || bytesPerSecond < 1) return ''
  const said = t('pace', { speed: fileSize(bytesPerSecond, locale) })
  const seconds = Math.ceil((sizeBytes - sentBytes) / bytesPerSecond)
  if (seconds < 60) return `${said} · ${t('left.seconds', { count: seconds })}`
  if (seconds < 5400) return `${said} · ${t('left.minutes', { count: Math.round(seconds / 60) })}`
  return `${said} · ${t('left.hours', { count: Math.round(seconds / 3600) })}`
}

export function PauseAll({ uploads }: { uploads: readonly Upload[] }) {
  const t = useTranslations('uploads')
  const { engine } = useUploading()
  if (uploads.some((upload) => can(upload, 'pause')))
    return (
      <IconButton label={t('pauseAll')} onClick={engine.pauseAll}>
        <Pause size={16} />
      </IconButton>
    )
  if (uploads.some(({ state }) => state === 'paused'))
    return (
      <IconButton label={t('resumeAll')} onClick={engine.resumeAll}>
        <Play size={16} />
      </IconButton>
    )
  return null
}

export function IconButton({
  label,
  expanded,
  onClick,
  children,
}: {
  label: string
  expanded?: boolean
  onClick(): void
  children: React.ReactNode
}) {
  return (
    <button
      type="button"
      className="upload-act"
      aria-label={label}
      aria-expanded={expanded}
      title={label}
      onClick={onClick}
    >
      {children}
    </button>
  )
}
