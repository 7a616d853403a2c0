// biome-ignore-all lint/a11y/useFocusableInteractive: the tree holds the focus for its items
import { ChevronRight, Folder as FolderIcon, FolderOpen, Images, Lock, Trash2 } from 'lucide-react'
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useTranslations } from 'use-intl'
import type { Folder } from '../../contract/folders.ts'
import { useLibrary } from '../library/library.tsx'
import type { Place } from '../library/place.ts'
import { useEditedInTree, useSelection } from '../library/selection.ts'
import { rowHeights } from '../ui/row-heights.ts'
import { useRows } from '../ui/use-rows.ts'
import { EditFolderName } from './edit-folder-name.tsx'
import type { Tree } from './folders.ts'
import './folders.css'

interface FolderTreeProps {
  tree: Tree
  place: Place
  /** What is shown is of no folder. */
  isElsewhere: boolean
  onOpen(folderId: string | undefined): void
  onMenu(folderId: string, spot: { x: number; y: number }): void
  onMove(folderId: string): void
  onTrash(folderId: string): void
  /** What stands under the folders. */
  children?: ReactNode
}

interface Node {
  folder: Folder
  depth: number
  hasChildren: boolean
}

const rowHeight = 32

/** The folders of the library. The tree holds the keyboard focus for its items. */
export function FolderTree({
  tree,
  place,
  isElsewhere,
  onOpen,
  onMenu,
  onMove,
  onTrash,
  children,
}: FolderTreeProps) {
  const t = useTranslations('library')
  const words = useTranslations('folder')
  const { can } = useLibrary()
  const scroller = useRef<HTMLDivElement>(null)
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const [focused, setFocused] = useState<string | null>(null)
  const selection = useSelection()
  const renaming = useEditedInTree()
  const here = place.folder ?? null

  // Wherever the person goes, the way there is open.
  useEffect(() => {
    const above = tree.path(here).slice(0, -1)
    if (above.length) setOpened((before) => new Set([...before, ...above.map(({ folderId }) => folderId)]))
  }, [tree, here])

  const nodes = useMemo(() => visible(tree, opened), [tree, opened])
  const heights = useMemo(() => rowHeights([{ count: nodes.length, height: rowHeight }]), [nodes.length])
  const rows = useRows(scroller, heights, 10)

  function setOpen(folderId: string, open: boolean) {
    setOpened((before) => {
      const next = new Set(before)
      if (open) next.add(folderId)
      else next.delete(folderId)
      return next
    })
  }

  function focusAt(index: number) {
    const node = nodes[Math.max(0, Math.min(index, nodes.length - 1))]
    if (!node) return
    setFocused(node.folder.folderId)
    rows.show(nodes.indexOf(node))
  }

  function onKeyDown(event: KeyboardEvent) {
    const name = event.shiftKey && event.key === 'F10' ? 'ContextMenu' : event.key.replace(/^M$/, 'm')
    const act = acts[name]
    if (!act || event.altKey || event.ctrlKey || event.metaKey) return
    act()
    event.preventDefault()
    event.stopPropagation()
  }

  const current = () => {
    const index = nodes.findIndex(({ folder }) => folder.folderId === focused)
    return { index, node: nodes[index] }
  }
  const mayShape = (folder: Folder) => can('folders:write') && !folder.protected
  const acts: Record<string, () => void> = {
    ArrowDown() {
      focusAt(current().index + 1)
    },
    ArrowUp() {
      focusAt(current().index - 1)
    },
    Home() {
      focusAt(0)
    },
    End() {
      focusAt(nodes.length - 1)
    },
    ArrowRight() {
      const { index, node } = current()
      if (!node?.hasChildren) return
      if (opened.has(node.folder.folderId)) focusAt(index + 1)
      else setOpen(node.folder.folderId, true)
    },
    ArrowLeft() {
      const { node } = current()
      if (!node) return
      if (opened.has(node.folder.folderId)) setOpen(node.folder.folderId, false)
      else focusAt(nodes.findIndex(({ folder }) => folder.folderId === node.folder.parentId))
    },
    Enter() {
      if (focused) onOpen(focused)
    },
    F2() {
      const { node } = current()
      if (node && mayShape(node.folder)) selection.edit(node.folder.folderId, 'tree')
    },
    Delete() {
      const { node } = current()
      if (node && mayShape(node.folder)) onTrash(node.folder.folderId)
    },
    m() {
      const { node } = current()
      if (node && mayShape(node.folder)) onMove(node.folder.folderId)
    },
    ContextMenu() {
      const { node } = current()
      const box = node && document.getElementById(itemId(node.folder.folderId))?.getBoundingClientRect()
      if (box) onMenu(node.folder.folderId, { x: box.left + 40, y: box.bottom })
    },
  }

  function onContextMenu(event: MouseEvent, folderId: string) {
    event.preventDefault()
    event.stopPropagation()
    onMenu(folderId, { x: event.clientX, y: event.clientY })
  }

  return (
    <nav className="tree" aria-label={t('folders')}>
      <button
        type="button"
        className="tree-place"
        aria-current={here === null && !isElsewhere ? 'page' : undefined}
        data-drop-folder="top"
        onClick={() => onOpen(undefined)}
      >
        <Images size={18} aria-hidden />
        {t('root')}
      </button>
      <div
        ref={scroller}
        className="tree-scroller"
        role="tree"
        aria-label={t('folders')}
        tabIndex={0}
        aria-activedescendant={focused ? itemId(focused) : undefined}
        onKeyDown={onKeyDown}
        onFocus={() => setFocused((before) => before ?? here ?? nodes[0]?.folder.folderId ?? null)}
      >
        <div role="presentation" style={{ height: rows.height, position: 'relative' }}>
          {rows.inSight.map((row) => {
            const { folder, depth, hasChildren } = nodes[row]!
            const { folderId } = folder
            const isOpen = opened.has(folderId)
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys for its items
              <div
                key={folderId}
                id={itemId(folderId)}
                role="treeitem"
                className={`tree-item ${focused === folderId ? 'is-focused' : ''}`}
                aria-level={depth + 1}
                aria-expanded={hasChildren ? isOpen : undefined}
                aria-selected={here === folderId}
                aria-label={folder.protected ? `${folder.name}, ${words('locked')}` : folder.name}
                style={{ transform: `translateY(${rows.topOf(row)}px)`, paddingInlineStart: 8 + depth * 16 }}
                data-drop-folder={folderId}
                data-id={folderId}
                draggable={mayShape(folder) && renaming !== folderId}
                onClick={() => {
                  setFocused(folderId)
                  onOpen(folderId)
                }}
                onContextMenu={(event) => onContextMenu(event, folderId)}
              >
                <span
                  className={`tree-twist ${isOpen ? 'is-open' : ''}`}
                  aria-hidden
                  onClick={(event) => {
                    if (!hasChildren) return
                    event.stopPropagation()
                    setOpen(folderId, !isOpen)
                  }}
                >
                  {hasChildren && <ChevronRight size={14} />}
                </span>
                {isOpen || here === folderId ? (
                  <FolderOpen size={16} className="tree-icon" aria-hidden />
                ) : (
                  <FolderIcon size={16} className="tree-icon" aria-hidden />
                )}
                <span className="tree-name" title={folder.name}>
                  {renaming === folderId ? (
                    <EditFolderName
                      folder={folder}
                      onEnd={() => {
                        selection.endEdit()
                        scroller.current?.focus()
                      }}
                    />
                  ) : (
                    folder.name
                  )}
                </span>
                {folder.protected && (
                  <span className="tree-lock" title={words('locked')}>
                    <Lock size={13} aria-hidden />
                  </span>
                )}
              </div>
            )
          })}
        </div>
      </div>
      {children}
      <button
        type="button"
        className="tree-place tree-trash"
        aria-current={here === 'trash' ? 'page' : undefined}
        data-drop-folder={can('assets:delete') ? 'trash' : undefined}
        onClick={() => onOpen('trash')}
      >
        <Trash2 size={18} aria-hidden />
        {t('trash')}
      </button>
    </nav>
  )
}

const itemId = (folderId: string) => `tree-${folderId}`

function visible(tree: Tree, opened: ReadonlySet<string>): Node[] {
  const nodes: Node[] = []
  const walk = (parentId: string | null, depth: number) => {
    for (const folder of tree.inside(parentId)) {
      nodes.push({ folder, depth, hasChildren: tree.inside(folder.folderId).length > 0 })
      if (opened.has(folder.folderId)) walk(folder.folderId, depth + 1)
    }
  }
  walk(null, 0)
  return nodes
}
