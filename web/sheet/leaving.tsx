import { useEffect, useState } from 'react'
import { useStore } from '../store.ts'
import { Confirm } from '../ui/confirm.tsx'
import { useAskBeforeLeaving } from '../ui/use-ask-before-leaving.ts'
import { useHeldNavigation } from '../ui/use-held-navigation.ts'
import type { Sheet } from './sheet.ts'
import { useSheetWords } from './words.ts'

/** How long an answer is waited for before the person is asked. */
const longestWait = 2000

/** Nobody leaves the table without being asked about what is not saved. What is just being saved is waited for. */
export function Leaving({ sheet }: { sheet: Sheet }) {
  const t = useSheetWords()
  const { cells, isCutOff } = useStore(sheet.store)
  const unsaved = [...cells.values()].filter(({ state }) => state !== 'saved')
  const isSaving = unsaved.some(({ state }) => state === 'saving')
  const [isLate, setLate] = useState(false)
  const [isGivenUp, setGivenUp] = useState(false)
  const held = useHeldNavigation(() => {
    commitTyped()
    return [...sheet.store.get().cells.values()].some(({ state }) => state !== 'saved')
  })
  useAskBeforeLeaving(unsaved.length > 0 && !isGivenUp)

  const isHeld = held !== null
  useEffect(() => {
    if (!isHeld) return
    const timer = setTimeout(() => setLate(true), longestWait)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [isHeld])

  const isFree = isHeld && unsaved.length === 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: goes once
  useEffect(() => {
    if (isFree) held!.go()
  }, [isFree])

  if (!held || isFree || (isSaving && !isCutOff && !isLate)) return null
  return (
    <Confirm
      title={t.leaveTitle}
      text={t.leaveText(unsaved.length)}
      button={t.leave(unsaved.length)}
      cancel={t.stay}
      error={null}
      isPending={false}
      onConfirm={() => {
        sheet.giveUp()
        setGivenUp(true)
        held.go()
      }}
      onClose={held.stay}
    />
  )
}

/** A cell takes what was typed into it when the focus leaves it. */
function commitTyped() {
  const cell = document.activeElement
  if (!(cell instanceof HTMLTextAreaElement) || !cell.matches('[data-typed]')) return
  cell.blur()
  cell.focus()
}
