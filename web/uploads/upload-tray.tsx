import { useVirtualizer } from '@tanstack/react-virtual'
import { ChevronDown, ChevronUp, Pause, Play, Tags, X } from 'lucide-react'
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useLocale, useTranslations } from 'use-intl'
import { useLibrary } from '../library/library.tsx'
import { useUndo } from '../library/undo.ts'
import { useStore } from '../store.ts'
import { announce } from '../ui/announce.tsx'
import { toast } from '../ui/toast.tsx'
import { fileSize } from '../words/file-size.ts'
import { useProblemText } from '../words/problem-text.ts'
import { accepts, pickFiles } from './pick-files.ts'
import { TroubleNote } from './trouble-note.tsx'
import { can, isOver, isUnderWay, needsAttention, type Totals, totalsOf, type Upload } from './upload.ts'
import { type RowActions, UploadRow, useStatus } from './upload-row.tsx'
import type { Snapshot } from './upload-store.ts'
import { useUploading } from './uploading.tsx'
import './uploads.css'

const AboutDialog = lazy(() =>
  import('./about-dialog.tsx').then(({ AboutDialog }) => ({ default: AboutDialog })),
)

const SameNameDialog = lazy(() =>
  import('./same-name-dialog.tsx').then(({ SameNameDialog }) => ({ default: SameNameDialog })),
)

type Show = (asset: { assetId: string; folderId: string | null }) => void

const filters = {
  all: () => true,
  underWay: isUnderWay,
  attention: needsAttention,
  done: ({ state }: Upload) => state === 'done' || state === 'undescribed',
} satisfies Record<string, (upload: Upload) => boolean>
type Filter = keyof typeof filters

// With fewer, everything is seen at a glance.
const filterFrom = 9

/** `elsewhere`: beside or above the tray of the library that is open. */
export function UploadTray({ onShow, elsewhere = false }: { onShow: Show; elsewhere?: boolean }) {
  const t = useTranslations('uploads')
  const { engine, isPhone } = useUploading()
  const snapshot = useStore(engine.snapshot)
  const totals = useMemo(() => totalsOf(snapshot.uploads), [snapshot.uploads])
  const [open, setOpen] = useState(!isPhone)
  const [filter, setFilter] = useState<Filter>('all')
  const [asking, setAsking] = useState(false)
  const [answerAll, setAnswerAll] = useState(true)
  const [described, setDescribed] = useState<Upload[] | null>(null)
  useAnnouncements(snapshot, totals)
  useHeightOfTrays(totals.count > 0)

  const chosenFilter = totals.count >= filterFrom ? filter : 'all'
  const shown = useMemo(
    () => (chosenFilter === 'all' ? snapshot.uploads : snapshot.uploads.filter(filters[chosenFilter])),
    [snapshot.uploads, chosenFilter],
  )
  const list = useRef<HTMLDivElement>(null)
  const actions = useRowActions(onShow, (upload) => setDescribed([upload]), list)

  const asked = snapshot.uploads.filter(({ state }) => state === 'asking')

  if (totals.count === 0) return null

  function close() {
    if (snapshot.uploads.every(isOver)) engine.dismissOver()
    else {
      setOpen(true)
      setAsking(true)
    }
  }

  return createPortal(
    <section className="upload-tray" aria-label={t('tray')} data-open={open} data-elsewhere={elsewhere}>
      <Head snapshot={snapshot} totals={totals} onToggle={() => setOpen(!open)}>
        {open && totals.count > 1 && (
          <IconButton
            label={t('aboutAll')}
            onClick={() =>
              setDescribed(
                snapshot.uploads.filter((upload) => upload.state !== 'refused' && !upload.replaces),
              )
            }
          >
            <Tags size={16} />
          </IconButton>
        )}
        <PauseAll uploads={snapshot.uploads} />
        <IconButton label={open ? t('collapse') : t('expand')} expanded={open} onClick={() => setOpen(!open)}>
          {open ? <ChevronDown size={18} /> : <ChevronUp size={18} />}
        </IconButton>
        <IconButton label={snapshot.uploads.every(isOver) ? t('clear') : t('cancelAll')} onClick={close}>
          <X size={17} />
        </IconButton>
      </Head>
      {asking && (
        <CancelQuestion
          count={snapshot.uploads.filter((upload) => can(upload, 'cancel')).length}
          onNo={() => setAsking(false)}
          onYes={() => {
            setAsking(false)
            engine.cancelAll()
            engine.dismissOver()
          }}
        />
      )}
      {snapshot.trouble && <TroubleNote trouble={snapshot.trouble} onRetry={engine.retryAll} />}
      {open && totals.count >= filterFrom && (
        <Filters chosen={chosenFilter} totals={totals} onChoose={setFilter} />
      )}
      {open && <Rows uploads={shown} actions={actions} list={list} />}
      {open && !snapshot.trouble && snapshot.uploads.filter(canRetry).length > 1 && (
        <div className="upload-foot">
          <button type="button" className="upload-link" onClick={engine.retryAll}>
            {t('retryAll')}
          </button>
        </div>
      )}
      <Suspense>
        {asked.length > 0 && (
          <SameNameDialog
            key={asked[0]!.id}
            asking={asked}
            forAll={answerAll}
            onForAll={setAnswerAll}
            onAnswer={engine.answer}
          />
        )}
        {described && <AboutDialog uploads={described} onClose={() => setDescribed(null)} />}
      </Suspense>
    </section>,
    document.getElementById('trays')!,
  )
}

/** How high the trays stand: what lies below them can be scrolled out from there. */
function useHeightOfTrays(isShown: boolean) {
  useEffect(() => {
    if (!isShown) return
    const { style } = document.documentElement
    const trays = document.getElementById('trays')!
    const observer = new ResizeObserver(() => style.setProperty('--trays', `${trays.offsetHeight}px`))
    observer.observe(trays)
    return () => {
      observer.disconnect()
      style.removeProperty('--trays')
    }
  }, [isShown])
}

const canRetry = (upload: Upload) => can(upload, 'retry') || can(upload, 'retryWords')

function useRowActions(
  onShow: Show,
  describe: (upload: Upload) => void,
  list: React.RefObject<HTMLDivElement | null>,
): RowActions {
  const t = useTranslations('uploads')
  const problemText = useProblemText()
  const { can: may } = useLibrary()
  const { engine } = useUploading()
  const undo = useUndo()
  const mayDelete = may('assets:delete')
  // Rows keep their actions for life: what changes with every render is read when it is needed.
  const latest = useRef({ onShow, describe, t, problemText, undo })
  latest.current = { onShow, describe, t, problemText, undo }
  return useMemo(() => {
    const saying = async (act: () => Promise<void>) => {
      try {
        await act()
      } catch (error) {
        toast({ text: latest.current.problemText(error), bad: true })
      }
    }
    return {
      mayDelete,
      pause: engine.pause,
      retry: engine.retry,
      describe: (upload) => latest.current.describe(upload),
      show: ({ asset }) => asset && latest.current.onShow(asset),
      showTwin: ({ asset }) =>
        saying(async () => latest.current.onShow(await engine.assetAt(asset!.duplicateOf!))),
      removeCopy: ({ id }) =>
        saying(async () => {
          const takeBack = await engine.removeCopy(id)
          if (takeBack) latest.current.undo.offer(latest.current.t('removed'), takeBack)
          list.current?.focus()
        }),
      async resume(upload) {
        if (upload.file || upload.isSent) return engine.resume(upload.id)
        const [file] = await pickFiles({ accept: accepts.all })
        if (file && !engine.goOnWith(upload.id, file))
          toast({ text: latest.current.t('otherFile', { name: upload.name }), bad: true })
      },
      remove(upload) {
        if (can(upload, 'cancel')) engine.cancel(upload.id)
        else engine.dismiss(upload.id)
        list.current?.focus() // the button that had the focus is gone
      },
    }
  }, [engine, mayDelete, list])
}

function Head({
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

function PauseAll({ uploads }: { uploads: readonly Upload[] }) {
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

function IconButton({
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

function CancelQuestion({ count, onYes, onNo }: { count: number; onYes(): void; onNo(): void }) {
  const t = useTranslations('uploads')
  const no = useRef<HTMLButtonElement>(null)
  useEffect(() => no.current?.focus(), [])
  return (
    <div className="upload-question" role="alertdialog" aria-label={t('cancelAsk', { count })}>
      <span>{t('cancelAsk', { count })}</span>
      <button type="button" className="upload-link" ref={no} onClick={onNo}>
        {t('cancelNo')}
      </button>
      <button type="button" className="upload-link upload-link-bad" onClick={onYes}>
        {t('cancelYes')}
      </button>
    </div>
  )
}

function Filters({
  chosen,
  totals,
  onChoose,
}: {
  chosen: Filter
  totals: Totals
  onChoose(filter: Filter): void
}) {
  const t = useTranslations('uploads')
  const counts: Record<Filter, number> = { ...totals, all: totals.count }
  return (
    <fieldset className="upload-filters">
      <legend className="unseen">{t('filter')}</legend>
      {(Object.keys(filters) as Filter[]).map((filter) => (
        <button key={filter} type="button" aria-pressed={filter === chosen} onClick={() => onChoose(filter)}>
          {t(`filters.${filter}`, { count: counts[filter] })}
        </button>
      ))}
    </fieldset>
  )
}

const rowHeight = 60

function Rows({
  uploads,
  actions,
  list,
}: {
  uploads: readonly Upload[]
  actions: RowActions
  list: React.RefObject<HTMLDivElement | null>
}) {
  const t = useTranslations('uploads')
  const rows = useVirtualizer({
    count: uploads.length,
    getScrollElement: () => list.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => uploads[index]!.id,
    overscan: 4,
  })
  const known = useRef(0)
  useEffect(() => {
    const first = known.current
    known.current = uploads.length
    if (first > 0 && uploads.length > first) rows.scrollToIndex(first, { align: 'start' }) // what was just added
  }, [uploads.length, rows])
  return (
    <div className="upload-list" ref={list} tabIndex={-1}>
      <ul aria-label={t('tray')} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ key, index, start }) => (
          <li
            key={key}
            aria-setsize={uploads.length}
            aria-posinset={index + 1}
            className="upload-place"
            data-index={index}
            ref={rows.measureElement}
            style={{ transform: `translateY(${start}px)` }}
          >
            <UploadRow upload={uploads[index]!} actions={actions} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Only start, end and refusals are announced. */
function useAnnouncements({ uploads, trouble }: Snapshot, totals: Totals) {
  const t = useTranslations('uploads')
  const say = useStatus()
  const before = useRef({ underWay: 0, refused: 0, trouble: null as Snapshot['trouble'] })
  useEffect(() => {
    const refused = uploads.filter(({ state }) => state === 'refused')
    const was = before.current
    before.current = { underWay: totals.underWay, refused: refused.length, trouble }
    if (trouble && trouble !== was.trouble) return announce(t(`trouble.${trouble.code}.title`))
    const more = refused.length - was.refused
    const last = refused.at(-1)
    if (more === 1 && last) return announce(t('announce.refused', { name: last.name, reason: say(last) }))
    if (more > 1) return announce(t('announce.refusedMany', { count: more }))
    if (was.underWay === 0 && totals.underWay > 0)
      return announce(t('announce.started', { count: totals.underWay }))
    if (was.underWay === 0 || totals.underWay > 0) return
    if (totals.attention > 0)
      announce(t('announce.partly', { done: totals.done, count: totals.count, attention: totals.attention }))
    else if (totals.done > 0) announce(t('announce.done', { count: totals.done }))
  }, [uploads, totals, trouble, t, say])
}
