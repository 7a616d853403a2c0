import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Modal } from '../ui/modal.tsx'
import { useProblemText } from '../words/problem-text.ts'
import { textOf } from './csv.ts'
import { type Comparison, compare } from './import.ts'
import type { Sheet } from './sheet.ts'
import { useSheetWords } from './words.ts'
import '../ui/dialogs.css'

const mostShown = 200

/** What a file would change, row by row, before it does. */
export function ImportDialog({ sheet, file, onClose }: { sheet: Sheet; file: File; onClose(): void }) {
  const t = useSheetWords()
  const problemText = useProblemText()
  const [found, setFound] = useState<Comparison | null>()
  const [failed, setFailed] = useState<unknown>(null)
  useEffect(() => {
    file
      .arrayBuffer()
      .then((bytes) => compare(sheet, textOf(bytes), t))
      .then(setFound, setFailed)
  }, [sheet, file, t])
  const rows = new Set(found?.edits.map(({ assetId }) => assetId)).size
  return (
    <Modal opened onClose={onClose} title={t.importTitle} size={720}>
      <div className="sheet-import" aria-live="polite">
        {failed !== null ? (
          <p role="alert">{problemText(failed)}</p>
        ) : found === undefined ? (
          <p>{t.reading}</p>
        ) : found === null ? (
          <p role="alert">{t.notOurs}</p>
        ) : (
          <>
            <p>{t.changes(found.edits.length, rows)}</p>
            {found.edits.length > 0 && (
              <ul aria-label={t.changes(found.edits.length, rows)}>
                {found.edits.slice(0, mostShown).map(({ assetId, field, name, before, text }) => (
                  <li key={`${assetId} ${field}`}>
                    <strong>{t.cellOf(t.columns[field], name)}</strong>
                    <br />
                    {before && (
                      <>
                        <del>{before}</del>{' '}
                      </>
                    )}
                    <ins>{text || '–'}</ins>
                  </li>
                ))}
                {found.edits.length > mostShown && <li>{t.more(found.edits.length - mostShown)}</li>}
              </ul>
            )}
            {found.problems.length > 0 && (
              <>
                <p>{t.problems(found.problems.length)}</p>
                <ul aria-label={t.problems(found.problems.length)}>
                  {found.problems.slice(0, mostShown).map(({ row, text }) => (
                    <li key={row}>
                      {t.row(row)}: {text}
                    </li>
                  ))}
                </ul>
              </>
            )}
          </>
        )}
      </div>
      <div className="dialog-acts">
        <Button variant="default" onClick={onClose}>
          {t.cancel}
        </Button>
        <Button
          disabled={!found?.edits.length}
          onClick={() => {
            sheet.write(found!.edits)
            onClose()
          }}
        >
          {t.apply}
        </Button>
      </div>
    </Modal>
  )
}
