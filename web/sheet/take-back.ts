import { toast } from '../ui/toast.tsx'
import type { SheetWords } from '../words/sheet.en.ts'
import type { Sheet, Step } from './sheet.ts'

/** One step, or the latest, and says what came of it. */
export async function takeBack(sheet: Sheet, t: SheetWords, step?: Step) {
  const taken = await sheet.undo(step)
  // Of a cell that could not be as it was, the cell tells.
  if (taken !== 0) toast({ about: 'sheet', text: taken ? t.undone(taken) : t.nothingToUndo })
}
