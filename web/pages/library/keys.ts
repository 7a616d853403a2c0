import { useEffect, useRef } from 'react'
import type { Messages } from 'use-intl'
import type { Permission } from '../../../contract/access.ts'
import { isByHand } from '../../library/place.ts'
import { isFolderId } from '../../library/selection.ts'
import type { LibraryPage } from './use-commands.ts'

type Help = Messages['help']

export interface KeyBinding {
  /** `Ctrl+`, `Alt+`, `Shift+` or `Alt+Shift+` and the key as browsers name it; letters are small. */
  keys: string[]
  /** How a person calls the key: a word of `help.keys`, or the same in every language. */
  called: keyof Help['keys'] | { literally: string }
  /** What the help says of it. */
  help: Exclude<keyof Help, 'title' | 'keys'>
  /** Who may not, is not told of it. */
  needs?: Permission
  /** False leaves the key to the browser. */
  run(page: LibraryPage, event: KeyboardEvent): unknown
}

const moves = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown']

/** The keys of the page, in the order in which the help shows them. */
export const keyBindings: KeyBinding[] = [
  {
    keys: moves,
    called: 'arrows',
    help: 'move',
    run: ({ commands }, { key }) => commands.moveFocus(key, false),
  },
  {
    keys: moves.map((key) => `Shift+${key}`),
    called: 'shiftArrows',
    help: 'range',
    run: ({ commands }, { key }) => commands.moveFocus(key, true),
  },
  { keys: ['Ctrl+a'], called: 'all', help: 'all', run: ({ commands }) => commands.selectAll() },
  {
    keys: ['Escape'],
    called: 'esc',
    help: 'clear',
    run: ({ selection }) => selection.ids.size > 0 && selection.clear(),
  },
  {
    keys: ['Enter'],
    called: 'enter',
    help: 'open',
    run({ commands }) {
      const id = commands.focused()
      return id !== null && commands.open(id)
    },
  },
  {
    keys: [' '],
    called: 'space',
    help: 'quickLook',
    run({ commands, quickLook }) {
      const id = commands.focused()
      if (id && !isFolderId(id)) quickLook.look(id)
    },
  },
  {
    keys: ['F2'],
    called: { literally: 'F2' },
    help: 'rename',
    needs: 'assets:write',
    run({ commands }) {
      const id = commands.focused()
      if (id) commands.rename(id)
    },
  },
  {
    keys: ['Delete'],
    called: 'del',
    help: 'trash',
    needs: 'assets:delete',
    run({ may, here, commands }) {
      if (here.place.collection) return may.write && commands.withTargets(commands.takeOut)
      return may.delete && commands.withTargets(commands.trash)
    },
  },
  {
    keys: ['m'],
    called: { literally: 'M' },
    help: 'moveTo',
    needs: 'assets:write',
    run: ({ may, commands }) => may.write && commands.withTargets(commands.move),
  },
  {
    // Alt and an arrow alone is how browsers go back.
    keys: moves.map((key) => `Alt+Shift+${key}`),
    called: 'altShiftArrows',
    help: 'order',
    needs: 'assets:write',
    run: ({ may, here, commands }, { key }) =>
      may.write && isByHand(here.place) && commands.withTargets((ids) => commands.placeByKey(ids, key)),
  },
  {
    keys: ['u'],
    called: { literally: 'U' },
    help: 'upload',
    needs: 'assets:write',
    run: ({ may, commands }) => may.write && commands.upload(),
  },
  {
    keys: ['n'],
    called: { literally: 'N' },
    help: 'newFolder',
    needs: 'folders:write',
    run: ({ may, commands }) => may.shape && commands.newFolder(),
  },
  { keys: ['/'], called: { literally: '/' }, help: 'search', run: ({ commands }) => commands.search() },
  {
    keys: ['i'],
    called: { literally: 'I' },
    help: 'details',
    run: ({ commands }) => commands.toggleDetails(),
  },
  { keys: ['v'], called: { literally: 'V' }, help: 'view', run: ({ commands }) => commands.toggleView() },
  {
    keys: ['Ctrl+z'],
    called: 'undo',
    help: 'undo',
    needs: 'assets:write',
    run: ({ commands }) => commands.undo(),
  },
  {
    keys: ['Shift+F10', 'ContextMenu'],
    called: 'menu',
    help: 'menu',
    run: ({ commands }) => commands.openMenuAtFocus(),
  },
  {
    keys: ['Alt+ArrowUp'],
    called: { literally: 'Alt + ↑' },
    help: 'parent',
    run: ({ commands }) => commands.openParent(),
  },
  { keys: ['?'], called: { literally: '?' }, help: 'help', run: ({ commands }) => commands.help() },
]

const typing = 'input:not([type=range], [type=checkbox], [type=radio]), textarea, select, [contenteditable]'
const elsewhere = '[role=dialog], [role=menu], dialog'
const withMovesOfItsOwn = '[role=tree], [type=range], [type=radio], video'

/** Off while typing, and while a dialog or a menu has the keyboard. The tree takes those that are about its folders. */
export function useKeys(page: LibraryPage) {
  const latest = useRef(page)
  latest.current = page
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const target = event.target as Element
      if (event.defaultPrevented || event.isComposing) return
      if (target.matches(typing) || target.closest(elsewhere)) return
      const name = nameOf(event)
      if (target.closest(withMovesOfItsOwn) && moves.includes(event.key) && !event.altKey) return
      // A button or link keeps the keys that press it.
      if ((event.key === ' ' || event.key === 'Enter') && target.matches('button, a, video, input')) return
      const binding = keyBindings.find(({ keys }) => keys.includes(name))
      if (binding && binding.run(latest.current, event) !== false) event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

function nameOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string {
  const name = key.length === 1 ? key.toLowerCase() : key
  // With Shift they are keys of their own: Ctrl+Shift+Z brings back elsewhere what Ctrl+Z took.
  if (ctrlKey || metaKey) return shiftKey && key.length === 1 ? `Ctrl+Shift+${name}` : `Ctrl+${name}`
  const shifted = shiftKey && key.length > 1 ? `Shift+${name}` : name
  return altKey ? `Alt+${shifted}` : shifted
}
