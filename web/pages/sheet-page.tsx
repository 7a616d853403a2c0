import { Button } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ArrowLeft, Download, Table2, Undo2, Upload } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useFormatter, useLocale, useTranslations } from 'use-intl'
import { useCollection } from '../collections/collections.ts'
import { whenBack } from '../connection.ts'
import { useFilterWords } from '../finding/filters.ts'
import { useFolderTree } from '../folders/folders.ts'
import { useLibrary } from '../library/library.tsx'
import { whenAssetsChange } from '../library/live.ts'
import {
  inTrash,
  isFiltered,
  looksBelow,
  looksFurther,
  type Place,
  queryOf,
  readPlace,
} from '../library/place.ts'
import { ProgressNote } from '../library/progress-note.tsx'
import { useChosen } from '../library/visits.ts'
import { csvName } from '../sheet/file-name.ts'
import { exportCsv } from '../sheet/import.ts'
import { ImportDialog } from '../sheet/import-dialog.tsx'
import { Leaving } from '../sheet/leaving.tsx'
import { Sheet, type StepsOf } from '../sheet/sheet.ts'
import { SheetTable, type SheetTableHandle } from '../sheet/sheet-table.tsx'
import { Suggested } from '../sheet/suggested.ts'
import { SuggestionActs } from '../sheet/suggestion-acts.tsx'
import { takeBack } from '../sheet/take-back.ts'
import { useSheetWords } from '../sheet/words.ts'
import { useStore } from '../store.ts'
import { LoadState, Nothing } from '../ui/list-notes.tsx'
import { pathText } from '../ui/path-text.ts'
import { toast } from '../ui/toast.tsx'
import { useProblemText } from '../words/problem-text.ts'
import { prefetchWords } from '../words/spoken.ts'
import { ClientFrame, OfClient, OfPortal, PortalFrame } from './client-frame.tsx'
import '../sheet/sheet.css'

/** What is written of assets, as a table. */
export function AdminSheetPage() {
  const t = useSheetWords()
  return (
    <OfClient>
      {(client) => (
        <ClientFrame client={client} title={t.title} lead={t.lead} needs="assets:read">
          <Texts clientName={client.name} />
        </ClientFrame>
      )}
    </OfClient>
  )
}

/** The same for the client's own people. */
export function PortalSheetPage() {
  const t = useSheetWords()
  return (
    <OfPortal>
      <PortalFrame title={t.title} lead={t.lead} needs="assets:read">
        <Texts />
      </PortalFrame>
    </OfPortal>
  )
}

function Texts({ clientName }: { clientName?: string }) {
  const t = useSheetWords()
  const library = useLibrary()
  const problemText = useProblemText()
  const address = useSearch({ strict: false }) as Record<string, unknown>
  const place = readPlace(address)
  const tree = useFolderTree()
  // What is searched for, or put together by hand, comes from any folder.
  const isOfFolder = !place.collection && !isFiltered(place) && !inTrash(place)
  const hasFolders = isOfFolder && tree.inside(place.folder ?? null).length > 0
  const isAll = isOfFolder && address.all === true
  const chosen = useChosen()
  const mayWiden = hasFolders && !chosen.ids && !chosen.except
  const of = JSON.stringify(chosen)
  const all = place.folder ? { below: true } : { everywhere: true }
  const search = JSON.stringify({ ...queryOf(place), ...(isAll && all) })
  const words = useTranslations('library')
  const navigate = useNavigate()
  const stepsOf: StepsOf = (folderId) => [words('root'), ...tree.path(folderId).map(({ name }) => name)]
  // biome-ignore lint/correctness/useExhaustiveDependencies: words in another language begin no other sheet
  const sheet = useMemo(
    () => new Sheet(library, JSON.parse(search), JSON.parse(of), t, problemText),
    [library, search, of],
  )
  const suggested = useMemo(() => new Suggested(library, sheet), [library, sheet])
  const { ids, next, error } = useStore(sheet.store)
  useEffect(() => void sheet.readMore(), [sheet])
  useEffect(() => whenBack(() => void (sheet.store.get().error && sheet.readMore())), [sheet])
  // A refusal has words of its own: whoever types is not to wait for them.
  useEffect(() => void prefetchWords(), [])
  useEffect(() => whenAssetsChange((assets) => void sheet.follow(assets)), [sheet])
  // Without them the table is whole.
  useEffect(() => void suggested.read(ids).catch(() => {}), [suggested, ids])
  const widen = (all: true | undefined) =>
    void navigate({ to: '.', search: ((now: object) => ({ ...now, all })) as never })
  const mayWrite = library.can('assets:write')
  const table = useRef<SheetTableHandle>(null)
  const collection = useCollection(place.collection)
  const whatOf = isFiltered(place) ? t.search : (collection?.name ?? tree.byId.get(place.folder ?? '')?.name)
  return (
    <>
      <SheetOf
        place={place}
        chosen={chosen.ids?.length ?? 0}
        folders={hasFolders ? (isAll ? 'with' : 'without') : 'none'}
        path={pathText(stepsOf(place.folder ?? null))}
      />
      {mayWiden && (
        <label className="sheet-folders">
          <input type="checkbox" checked={isAll} onChange={() => widen(isAll ? undefined : true)} />
          {t.alsoFolders}
        </label>
      )}
      <SheetActs
        sheet={sheet}
        stepsOf={stepsOf}
        mayWrite={mayWrite}
        exportedAs={() => csvName([t.title, clientName, whatOf], new Date())}
        onGoTo={(row, column) => table.current?.goTo(row, column)}
        more={mayWrite && <SuggestionActs sheet={sheet} suggested={suggested} wanted={sheet.asked} />}
      >
        <Link
          className="sheet-back"
          to={library.frame === 'admin' ? '/clients/$clientId/assets' : '/portal/assets'}
          params={{ clientId: library.clientId }}
          search={place}
        >
          <ArrowLeft size={14} aria-hidden />
          {t.back}
        </Link>
      </SheetActs>
      <LoadState
        query={{
          isError: error !== null,
          isPending: next === undefined,
          error,
          refetch: () => sheet.readMore(),
        }}
      />
      {next === null && ids.length === 0 && (
        <Nothing
          icon={<Table2 size={28} />}
          title={t.empty}
          text={mayWiden && !isAll ? t.emptyButFolders : t.emptyText}
        >
          {mayWiden && !isAll && <Button onClick={() => widen(true)}>{t.showAll}</Button>}
        </Nothing>
      )}
      {ids.length > 0 && (
        <SheetTable ref={table} sheet={sheet} suggested={suggested} stepsOf={stepsOf} mayWrite={mayWrite} />
      )}
      <Leaving sheet={sheet} />
      <ProgressNote />
    </>
  )
}

/** What the table is of. */
function SheetOf({
  place,
  chosen,
  folders,
  path,
}: {
  place: Place
  chosen: number
  /** Whether it has what is in the folders of this place, if there are any. */
  folders: 'with' | 'without' | 'none'
  path: string
}) {
  const t = useSheetWords()
  const library = useTranslations('library')
  const batch = useTranslations('batch')
  const collection = useCollection(place.collection)
  const filters = useFilterWords(place)
  const isAll = folders === 'with' && !place.folder
  const isEverywhere = isAll || (looksFurther(place) && !looksBelow(place))
  const parts = [
    place.q && library('results', { q: place.q }),
    collection?.name ?? (isEverywhere ? t.everything : path),
    folders === 'without' && chosen === 0 && t.withoutFolders,
    folders === 'with' && !isAll && t.withFolders,
    ...filters,
    chosen > 0 && batch('selected', { count: chosen }),
  ]
  return <p className="sheet-of">{parts.filter(Boolean).join(' · ')}</p>
}

function SheetActs({
  sheet,
  stepsOf,
  mayWrite,
  exportedAs,
  onGoTo,
  more,
  children,
}: {
  sheet: Sheet
  stepsOf: StepsOf
  mayWrite: boolean
  exportedAs(): string
  onGoTo(row: number, column: number): void
  more: React.ReactNode
  children: React.ReactNode
}) {
  const t = useSheetWords()
  const format = useFormatter()
  const locale = useLocale()
  const problemText = useProblemText()
  const { cells, ids, next, isCutOff } = useStore(sheet.store)
  const isTyping = useStore(sheet.isTyping)
  const [file, setFile] = useState<File | null>(null)
  const chooser = useRef<HTMLInputElement>(null)
  const states = [...cells.values()].map(({ state }) => state)
  const isSaving = states.includes('saving')
  const refused = states.filter((state) => state === 'refused').length

  async function goesToRefused() {
    const first = await sheet.firstRefused()
    if (first) onGoTo(first.row, first.column)
  }

  const takesBack = () => takeBack(sheet, t)

  async function saves() {
    try {
      const url = URL.createObjectURL(await exportCsv(sheet, stepsOf, locale))
      Object.assign(document.createElement('a'), { href: url, download: exportedAs() }).click()
      setTimeout(() => URL.revokeObjectURL(url), 60_000)
    } catch (error) {
      toast({ about: 'sheet', text: problemText(error), bad: true })
    }
  }

  // In a cell that somebody types in, the browser takes back what they typed.
  const latest = useRef(takesBack)
  latest.current = takesBack
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (!(event.ctrlKey || event.metaKey) || event.key !== 'z' || event.shiftKey) return
      if ((event.target as Element).matches('input, [data-typed]')) return
      event.preventDefault()
      void latest.current()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])

  return (
    <div className="sheet-acts">
      {children}
      {mayWrite && (
        <Button size="xs" variant="default" leftSection={<Undo2 size={14} />} onClick={takesBack}>
          {t.undo}
        </Button>
      )}
      <Button size="xs" variant="default" leftSection={<Download size={14} />} onClick={saves}>
        {t.exportCsv}
      </Button>
      {mayWrite && (
        <>
          <Button
            size="xs"
            variant="default"
            leftSection={<Upload size={14} />}
            onClick={() => chooser.current?.click()}
          >
            {t.importCsv}
          </Button>
          <input
            ref={chooser}
            type="file"
            accept=".csv,text/csv"
            hidden
            aria-label={t.importCsv}
            onChange={(event) => {
              setFile(event.currentTarget.files?.[0] ?? null)
              event.currentTarget.value = ''
            }}
          />
        </>
      )}
      {more}
      <span className="sheet-state" role="status">
        {isSaving ? (
          isCutOff ? (
            t.cutOff
          ) : (
            t.saving
          )
        ) : refused > 0 ? (
          <button type="button" className="sheet-unsaved" onClick={goesToRefused}>
            {t.unsaved(refused)}
          </button>
        ) : isTyping ? (
          t.typing
        ) : cells.size > 0 ? (
          t.allSaved
        ) : (
          next === null && t.rows(ids.length, format.number(ids.length))
        )}
      </span>
      {file && <ImportDialog sheet={sheet} file={file} onClose={() => setFile(null)} />}
    </div>
  )
}
