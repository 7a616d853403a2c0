import { ChevronDown, ChevronUp, Tags, X } from 'lucide-react'
import { Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslations } from 'use-intl'
import { useStore } from '../store.ts'
import { givesFocusUp } from '../ui/focus.ts'
import { partOf } from '../ui/part.ts'
import { type Filter, Filters, filters } from './tray-filters.tsx'
import { Head, IconButton, PauseAll } from './tray-head.tsx'
import { Rows } from './tray-rows.tsx'
import { TroubleNote } from './trouble-note.tsx'
import { can, isOver, totalsOf, type Upload } from './upload.ts'
import { useUploading } from './uploading.tsx'
import { useAnnouncements } from './use-announcements.ts'
import { type Show, useRowActions } from './use-row-actions.ts'
import './uploads.css'

const AboutDialog = partOf(() => import('./about-dialog.tsx'), 'AboutDialog')

const SameNameDialog = partOf(() => import('./same-name-dialog.tsx'), 'SameNameDialog')

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
    <section
      ref={givesFocusUp}
      className="upload-tray"
      aria-label={t('tray')}
      data-open={open}
      data-elsewhere={elsewhere}
    >
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
