import { createContext, useContext } from 'react'
import { mostIds } from '../../contract/assets.ts'
import type { AssetSearch } from '../../contract/search.ts'
import { mostShared } from '../../contract/shares.ts'
import { createStore, useStore } from '../store.ts'

interface Selected {
  ids: ReadonlySet<string>
  focus: string | null
  anchor: string | null
  editing: { id: string; field: EditedField } | null
  /** By a marquee: it is not yet what it will be. */
  isBeingDrawn: boolean
  /** The search whose every result was chosen, and those results: some may have been taken out again. */
  meant: { search: AssetSearch; ids: ReadonlySet<string> } | null
  /** What the person has just named: its name may take it elsewhere, and it stays in sight. */
  followed: { id: string; isSaved: boolean } | null
}

/** More than this is named by its search rather than one by one. */
const many = 500

/** What is selected and where the keyboard stands, held by id so that nothing shifts when the list changes. */
export class Selection {
  readonly store = createStore<Selected>({
    ids: new Set(),
    focus: null,
    anchor: null,
    editing: null,
    isBeingDrawn: false,
    meant: null,
    followed: null,
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

  get followed() {
    return this.store.get().followed
  }

  only(id: string) {
    this.#choose({ ids: new Set([id]), focus: id, anchor: id })
  }
  toggle(id: string) {
    const ids = new Set(this.ids)
    if (!ids.delete(id)) ids.add(id)
    this.#choose({ ids, focus: id, anchor: id, meant: this.store.get().meant })
  }
  /** Everything that the search finds is chosen: these. */
  all(search: AssetSearch, all: Iterable<string>) {
    const ids = new Set(all)
    this.#choose({ ids, anchor: this.anchor ?? this.focus, meant: { search, ids } })
  }
  /** These assets as “all of the search but some”, if that is what was chosen and they are many. */
  meantBy(assetIds: string[]): { search: AssetSearch; except: string[] } | null {
    const { meant } = this.store.get()
    if (!meant || assetIds.length < many || !assetIds.every((id) => meant.ids.has(id))) return null
    const chosen = new Set(assetIds)
    const except = [...meant.ids].filter((id) => !chosen.has(id) && !isFolderId(id))
    return except.length <= mostIds ? { search: meant.search, except } : null
  }
  these(ids: Iterable<string>, focus = this.focus) {
    this.#choose({ ids: new Set(ids), focus, anchor: this.anchor ?? focus })
  }
  /** What has gone elsewhere is no longer chosen here, and no key reaches it. */
  without(gone: ReadonlySet<string>) {
    if (this.focus && gone.has(this.focus)) this.#choose({ focus: null, anchor: null })
    const ids = new Set([...this.ids].filter((id) => !gone.has(id)))
    if (ids.size < this.ids.size) this.#choose({ ids, anchor: null, meant: this.store.get().meant })
  }
  clear() {
    this.#choose({ ids: new Set(), anchor: null })
  }
  focusOn(id: string | null) {
    this.#choose({ focus: id })
  }
  /** Keeps in sight what is being named, until its name is saved or the person turns to something else. */
  async follow(id: string, saved: Promise<boolean>): Promise<boolean> {
    const followed = { id, isSaved: false }
    this.#set({ followed })
    const isSaved = await saved
    if (this.followed === followed) this.#set({ followed: isSaved ? { id, isSaved } : null })
    return isSaved
  }
  endFollowing() {
    this.#set({ followed: null })
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

  /** Whoever chooses has turned away from what was just named. */
  #choose(change: Partial<Selected>) {
    this.#set({ meant: 'ids' in change ? null : this.store.get().meant, ...change, followed: null })
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
export const useFollowed = () => useOfSelection(({ followed }) => followed)
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
export const isCollectionId = (id: string) => id.startsWith('collection_')

/** One folder with all below it, or assets alone. */
export const isShareable = (ids: string[]) =>
  ids.length === 1 || (ids.length <= mostShared && !ids.some(isFolderId))
