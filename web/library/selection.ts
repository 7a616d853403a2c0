import { createContext, useContext, useSyncExternalStore } from 'react'

/** What is selected and where the keyboard stands, held by id so that nothing shifts when the list changes. */
export class Selection {
  #ids: ReadonlySet<string> = new Set()
  #focus: string | null = null
  #anchor: string | null = null
  #editing: { id: string; field: EditedField } | null = null
  #isBeingDrawn = false
  #listeners = new Set<() => void>()

  get ids() {
    return this.#ids
  }
  get focus() {
    return this.#focus
  }
  get anchor() {
    return this.#anchor
  }
  get editing() {
    return this.#editing
  }
  /** By a marquee: it is not yet what it will be. */
  get isBeingDrawn() {
    return this.#isBeingDrawn
  }

  only(id: string) {
    this.#set({ ids: new Set([id]), focus: id, anchor: id })
  }
  toggle(id: string) {
    const ids = new Set(this.#ids)
    if (!ids.delete(id)) ids.add(id)
    this.#set({ ids, focus: id, anchor: id })
  }
  these(ids: Iterable<string>, focus = this.#focus) {
    this.#set({ ids: new Set(ids), focus, anchor: this.#anchor ?? focus })
  }
  clear() {
    this.#set({ ids: new Set(), focus: this.#focus, anchor: null })
  }
  focusOn(id: string | null) {
    this.#set({ ids: this.#ids, focus: id, anchor: this.#anchor })
  }
  edit(id: string, field: EditedField) {
    this.#editing = { id, field }
    this.#tell()
  }
  draw(isBeingDrawn: boolean) {
    this.#isBeingDrawn = isBeingDrawn
    this.#tell()
  }
  endEdit() {
    this.#editing = null
    this.#tell()
  }

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  #set(next: { ids: ReadonlySet<string>; focus: string | null; anchor: string | null }) {
    this.#ids = next.ids
    this.#focus = next.focus
    this.#anchor = next.anchor
    this.#tell()
  }
  #tell() {
    for (const listener of this.#listeners) listener()
  }
}

/** `tree` is a folder's name where the tree shows it. */
export type EditedField = 'title' | 'description' | 'name' | 'tree'

const SelectionContext = createContext(new Selection())
export const SelectionProvider = SelectionContext.Provider
export const useSelection = () => useContext(SelectionContext)

function useOfSelection<T extends string | boolean | null | ReadonlySet<string>>(
  read: (selection: Selection) => T,
): T {
  const selection = useSelection()
  return useSyncExternalStore(selection.subscribe, () => read(selection))
}

export const useSelectedIds = () => useOfSelection((selection) => selection.ids)
export const useIsBeingDrawn = () => useOfSelection((selection) => selection.isBeingDrawn)
export const useFocus = () => useOfSelection((selection) => selection.focus)

/** How one cell stands, asked once: hundreds of cells ask while scrolling. */
export function useCellState(id: string) {
  const [selected, focused, edited] = useOfSelection(
    ({ ids, focus, editing }) =>
      `${ids.has(id) ? 1 : ''},${focus === id ? 1 : ''},${editing?.id === id ? editing.field : ''}`,
  ).split(',')
  return { selected: !!selected, focused: !!focused, edited: (edited || null) as EditedField | null }
}

export const useEditedInTree = () =>
  useOfSelection((selection) => (selection.editing?.field === 'tree' ? selection.editing.id : null))

export const isFolderId = (id: string) => id.startsWith('folder_')
