import { createContext, useContext } from 'react'
import { createStore, useStore } from '../store.ts'

interface Selected {
  ids: ReadonlySet<string>
  focus: string | null
  anchor: string | null
  editing: { id: string; field: EditedField } | null
  /** By a marquee: it is not yet what it will be. */
  isBeingDrawn: boolean
}

/** What is selected and where the keyboard stands, held by id so that nothing shifts when the list changes. */
export class Selection {
  readonly store = createStore<Selected>({
    ids: new Set(),
    focus: null,
    anchor: null,
    editing: null,
    isBeingDrawn: false,
  })

  get ids() {
    return this.store.get().ids
  }
  get focus() {
    return this.store.get().focus
  }
  get anchor() {
    return this.store.get().anchor
  }
  get editing() {
    return this.store.get().editing
  }

  only(id: string) {
    this.#set({ ids: new Set([id]), focus: id, anchor: id })
  }
  toggle(id: string) {
    const ids = new Set(this.ids)
    if (!ids.delete(id)) ids.add(id)
    this.#set({ ids, focus: id, anchor: id })
  }
  these(ids: Iterable<string>, focus = this.focus) {
    this.#set({ ids: new Set(ids), focus, anchor: this.anchor ?? focus })
  }
  clear() {
    this.#set({ ids: new Set(), anchor: null })
  }
  focusOn(id: string | null) {
    this.#set({ focus: id })
  }
  edit(id: string, field: EditedField) {
    this.#set({ editing: { id, field } })
  }
  endEdit() {
    this.#set({ editing: null })
  }
  draw(isBeingDrawn: boolean) {
    this.#set({ isBeingDrawn })
  }

  #set(change: Partial<Selected>) {
    this.store.set({ ...this.store.get(), ...change })
  }
}

/** `tree` is a folder's name where the tree shows it. */
export type EditedField = 'title' | 'description' | 'name' | 'tree'

const SelectionContext = createContext(new Selection())
export const SelectionProvider = SelectionContext.Provider
export const useSelection = () => useContext(SelectionContext)

const useOfSelection = <Part>(read: (selected: Selected) => Part) => useStore(useSelection().store, read)

export const useSelectedIds = () => useOfSelection(({ ids }) => ids)
export const useIsBeingDrawn = () => useOfSelection(({ isBeingDrawn }) => isBeingDrawn)
export const useFocus = () => useOfSelection(({ focus }) => focus)

/** How one cell stands, asked once: hundreds of cells ask while scrolling. */
export function useCellState(id: string) {
  const [selected, focused, edited] = useOfSelection(
    ({ ids, focus, editing }) =>
      `${ids.has(id) ? 1 : ''},${focus === id ? 1 : ''},${editing?.id === id ? editing.field : ''}`,
  ).split(',')
  return { selected: !!selected, focused: !!focused, edited: (edited || null) as EditedField | null }
}

export const useEditedInTree = () =>
  useOfSelection(({ editing }) => (editing?.field === 'tree' ? editing.id : null))

export const isFolderId = (id: string) => id.startsWith('folder_')
