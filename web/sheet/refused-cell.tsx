import { useTranslations } from 'use-intl'
import type { Refused } from './sheet.ts'
import { useSheetWords } from './words.ts'

/** Why a cell is not saved, and what may be done about it: what was written stays in it. */
export function RefusedCell({
  id,
  label,
  cell: { why, remedy },
  now,
  onKeep,
  onLetGo,
}: {
  id: string
  label: string
  cell: Refused
  /** What is saved. */
  now: string
  onKeep(): void
  onLetGo(): void
}) {
  const t = useSheetWords()
  const conflict = useTranslations('conflict')
  const app = useTranslations('app')
  const isChoice = remedy === 'choose'
  const act = (text: string, run: () => void) => (
    <button type="button" aria-label={`${text}: ${label}`} onClick={run}>
      {text}
    </button>
  )
  return (
    <div className="sheet-refused">
      <div id={id} role="alert">
        {why}
        {isChoice && (
          <blockquote>
            <b>{conflict('theirs')}</b> {now || conflict('empty')}
          </blockquote>
        )}
      </div>
      {remedy !== 'rewrite' && act(isChoice ? conflict('keepYours') : app('retry'), onKeep)}
      {act(isChoice ? conflict('keepTheirs') : t.discard, onLetGo)}
    </div>
  )
}
