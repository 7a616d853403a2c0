import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type ClipboardEvent,
  type KeyboardEvent,
  memo,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import type { AssetWords } from '../../contract/asset-words.ts'
import type { Suggestion } from '../../contract/suggestions.ts'
import { previewUrl } from '../assets/assets.ts'
import { useLibrary } from '../library/library.tsx'
import { useStore } from '../store.ts'
import { pathText } from '../ui/path-text.ts'
import { Thumbnail } from '../ui/thumbnail.tsx'
import { toast } from '../ui/toast.tsx'
import { useAskBeforeLeaving } from '../ui/use-ask-before-leaving.ts'
import { useProblemText } from '../words/problem-text.ts'
import { isProse, parseTable } from './csv.ts'
import { type Field, fields, textOf } from './fields.ts'
import { RefusedCell } from './refused-cell.tsx'
import { type Cell, type Edit, Sheet, type StepsOf } from './sheet.ts'
import type { Suggested } from './suggested.ts'
import { decisionOf, SuggestedCell } from './suggested-cell.tsx'
import { takeBack } from './take-back.ts'
import { useSheetWords } from './words.ts'

export interface SheetTableHandle {
  goTo(row: number, column: number): void
}

/** A table as in a spreadsheet: Tab, Enter and arrows go from cell to cell, and a column that was copied elsewhere can be pasted. */
export function SheetTable({
  ref,
  sheet,
  suggested,
  stepsOf,
  mayWrite,
}: {
  ref: Ref<SheetTableHandle>
  sheet: Sheet
  suggested: Suggested
  stepsOf: StepsOf
  mayWrite: boolean
}) {
  const t = useSheetWords()
  const { ids, byId, cells, next } = useStore(sheet.store)
  const { open } = useStore(suggested.store)
  const problemText = useProblemText()
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: ids.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 76,
    getItemKey: (index) => ids[index]!,
    overscan: 8,
  })
  const shown = rows.getVirtualItems()
  const last = shown.at(-1)?.index ?? -1
  useEffect(() => {
    if (next !== null && last >= ids.length - 30) void sheet.readMore()
  }, [sheet, next, last, ids.length])

  async function decide(suggestion: Suggestion, decision: 'accept' | 'decline') {
    const about = suggestion.suggestionId
    try {
      const { not } = await suggested.decide(decision, [suggestion])
      if (not > 0) toast({ about, text: t.changedMeanwhile, bad: true })
    } catch (error) {
      toast({ about, text: problemText(error), bad: true })
    }
  }

  /** The row may have to be scrolled to before it is there. */
  function goTo(row: number, column: number, tries = 20) {
    if (row < 0 || row >= sheet.store.get().ids.length || column < 0 || column >= fields.length) return
    const cell = scroller.current?.querySelector<HTMLTextAreaElement>(`[data-cell="${row} ${column}"]`)
    if (cell) {
      cell.focus()
      cell.select()
    } else if (tries > 0) {
      rows.scrollToIndex(row)
      requestAnimationFrame(() => goTo(row, column, tries - 1))
    }
  }

  useImperativeHandle(ref, () => ({ goTo }))

  async function paste(table: string[][], row: number, column: number) {
    while (sheet.store.get().next !== null && sheet.store.get().ids.length < row + table.length) {
      const before = sheet.store.get().ids.length
      await sheet.readMore()
      if (sheet.store.get().ids.length === before) break
    }
    const here = sheet.store.get().ids
    const edits = table.flatMap((line, down) =>
      line.flatMap((text, right): Edit[] => {
        const [assetId, field] = [here[row + down], fields[column + right]]
        return assetId && field ? [{ assetId, field, text }] : []
      }),
    )
    const step = sheet.write(edits)
    const replaced = edits.length > 1 ? step : undefined
    const beyond = row + table.length - here.length
    const widest = table.reduce((most, line) => Math.max(most, line.length), 0)
    const beside = column + widest - fields.length
    const said = [
      replaced && t.replaced(replaced.after.length),
      beyond > 0 && t.notFitted(beyond),
      beside > 0 && t.columnsNotFitted(beside),
    ]
    if (!said.some(Boolean)) return
    toast({
      about: 'sheet',
      text: said.filter(Boolean).join(' '),
      bad: beyond > 0 || beside > 0,
      action: replaced && { label: t.undo, run: () => void takeBack(sheet, t, replaced) },
    })
  }

  return (
    <div ref={scroller} className="sheet">
      <table aria-label={t.title} aria-rowcount={next === null ? ids.length + 1 : -1}>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">{t.file}</th>
            <th scope="col">{t.folder}</th>
            {fields.map((field) => (
              <th key={field} scope="col">
                {t.columns[field]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody style={{ height: rows.getTotalSize() }}>
          {shown.map(({ index, key, start }) => {
            const row = byId.get(ids[index]!)!
            return (
              <tr
                key={key}
                ref={rows.measureElement}
                data-index={index}
                aria-rowindex={index + 2}
                style={{ transform: `translateY(${start}px)` }}
              >
                <SheetFile row={row} />
                <td className="sheet-folder" data-label={t.folder}>
                  {pathText(stepsOf(row.folderId))}
                </td>
                {fields.map((field, column) => (
                  <SheetCell
                    key={field}
                    at={`${index} ${column}`}
                    field={field}
                    label={t.cellOf(t.columns[field], row.originalFilename)}
                    saved={textOf(row, field)}
                    cell={cells.get(Sheet.key(row.assetId, field))}
                    suggestion={mayWrite ? open.get(Sheet.key(row.assetId, field)) : undefined}
                    onDecide={decide}
                    readOnly={!mayWrite}
                    onType={sheet.isTyping.set}
                    onWrite={(text, over) => sheet.write([{ assetId: row.assetId, field, text, over }])}
                    onLetGo={() => sheet.letGo(row.assetId, field)}
                    onGo={(down, right) => goTo(index + down, column + right)}
                    onPaste={(table) => void paste(table, index, column)}
                  />
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

const SheetFile = memo(function SheetFile({ row }: { row: AssetWords }) {
  const library = useLibrary()
  return (
    <th className="sheet-file" scope="row">
      <Thumbnail
        src={previewUrl(library, row, 'thumb')}
        alt=""
        width={56}
        height={56}
        // Without a preview the place stays empty: nothing is to be seen that the name does not say.
        onError={({ currentTarget }) => currentTarget.removeAttribute('src')}
      />
      <span title={row.originalFilename}>{row.originalFilename}</span>
    </th>
  )
})

function SheetCell({
  at,
  field,
  label,
  saved,
  cell,
  suggestion,
  readOnly,
  onDecide,
  onType,
  onWrite,
  onLetGo,
  onGo,
  onPaste,
}: {
  at: string
  field: Field
  label: string
  saved: string
  cell: Cell | undefined
  suggestion: Suggestion | undefined
  readOnly: boolean
  onDecide(suggestion: Suggestion, decision: 'accept' | 'decline'): void
  onType(isTyping: boolean): void
  onWrite(text: string, over?: string): void
  onLetGo(): void
  onGo(down: number, right: number): void
  onPaste(table: string[][]): void
}) {
  const t = useSheetWords()
  const hint = useId()
  const note = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const [typed, setTyped] = useState<string | null>(null)
  const known = cell?.state === 'saving' ? cell.text : saved
  const text = typed ?? (cell?.state === 'refused' ? cell.text : known)
  /** What was to be read here when somebody began to type. */
  const over = useRef(known)
  if (typed === null) over.current = known
  /** It was written here, and nothing was heard of it. */
  const isTyped = useRef(false)
  const latest = useRef({ typed, onWrite })
  latest.current = { typed, onWrite }

  function commit() {
    const { typed: now } = latest.current
    setTyped(null)
    if (now === null) return
    isTyped.current = true
    latest.current.onWrite(now, over.current)
  }
  useAskBeforeLeaving(typed !== null)
  const isTyping = typed !== null && typed !== known
  useEffect(() => {
    if (!isTyping) return
    onType(true)
    return () => onType(false)
  }, [isTyping, onType])
  // A row that is scrolled away takes along what was typed into it.
  useEffect(
    () => () => {
      const { typed: now, onWrite: write } = latest.current
      if (now !== null) write(now, over.current)
    },
    [],
  )

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    const { key, shiftKey, altKey, ctrlKey, metaKey, currentTarget: here } = event
    if (event.nativeEvent.isComposing) return
    const decision = suggestion && decisionOf(event)
    if (decision) {
      event.preventDefault()
      onDecide(suggestion, decision)
      return
    }
    const { selectionStart: from, selectionEnd: to, value } = here
    // Whoever has come by a key stands on the cell as a whole; whoever types, in its text.
    const isWhole = from === 0 && to === value.length
    const goes = (down: number, right: number) => {
      event.preventDefault()
      commit()
      onGo(down, right)
    }
    if (key === 'Enter' && (altKey || ctrlKey || metaKey)) {
      if (field === 'title' || field === 'tags' || readOnly) return
      event.preventDefault()
      setTyped(`${value.slice(0, from)}\n${value.slice(to)}`)
    } else if (key === 'Enter') goes(shiftKey ? -1 : 1, 0)
    else if (key === 'Escape' && typed !== null) {
      event.stopPropagation()
      setTyped(null)
      requestAnimationFrame(() => here.select())
    } else if (shiftKey || altKey || ctrlKey || metaKey) return
    else if (key === 'ArrowDown' && (isWhole || to === value.length)) goes(1, 0)
    else if (key === 'ArrowUp' && (isWhole || from === 0)) goes(-1, 0)
    else if (key === 'ArrowRight' && isWhole) goes(0, 1)
    else if (key === 'ArrowLeft' && isWhole) goes(0, -1)
  }

  function onPasteHere(event: ClipboardEvent<HTMLTextAreaElement>) {
    const pasted = event.clipboardData.getData('text/plain')
    const { selectionStart: from, selectionEnd: to, value } = event.currentTarget
    // Whoever has only clicked stands on the cell; whoever types or has marked a part of it, in its text.
    const isOnCell = (from === 0 && to === value.length) || (typed === null && from === to)
    if (!/[\t\n]/.test(pasted) || !isOnCell || readOnly) return
    // It goes into this cell as if it were typed.
    if (isProse(pasted, event.clipboardData.getData('text/html'))) return
    event.preventDefault()
    setTyped(null)
    onPaste(parseTable(pasted, '\t'))
  }

  const state = typed === null ? cell?.state : undefined
  const refused = typed === null && cell?.state === 'refused' ? cell : undefined
  // Whoever wrote it sees what may be done about it; what was pasted may be refused in many places.
  const isRefused = refused !== undefined
  useEffect(() => {
    if (!isRefused || !isTyped.current) return
    isTyped.current = false
    return bringIntoSight(area.current!)
  }, [isRefused])

  return (
    <td className="sheet-cell" data-label={t.columns[field]} data-state={state}>
      <textarea
        ref={area}
        data-cell={at}
        data-typed={typed === null ? undefined : ''}
        aria-label={label}
        aria-invalid={state === 'refused'}
        aria-describedby={[refused && note, suggestion && hint].filter(Boolean).join(' ') || undefined}
        rows={2}
        value={text}
        readOnly={readOnly}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={commit}
        onKeyDown={onKeyDown}
        onPaste={onPasteHere}
      />
      {suggestion && (
        <SuggestedCell
          id={hint}
          suggestion={suggestion}
          onDecide={(decision) => {
            area.current?.focus()
            onDecide(suggestion, decision)
          }}
        />
      )}
      {refused ? (
        <RefusedCell
          id={note}
          label={label}
          cell={refused}
          now={saved}
          onKeep={() => {
            area.current?.focus()
            onWrite(refused.text)
          }}
          onLetGo={() => {
            area.current?.focus()
            onLetGo()
          }}
        />
      ) : (
        state && <small>{state === 'saving' ? t.saving : t.saved}</small>
      )}
    </td>
  )
}

/** All of the cell, and after it the one that has the focus: once the rows below have made room. */
function bringIntoSight(area: HTMLElement): () => void {
  const show = () => {
    for (const element of [area, document.activeElement])
      element?.closest('.sheet-cell')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(show)
  })
  return () => cancelAnimationFrame(frame)
}
