import { Button, TextInput } from '@mantine/core'
import { Folder as FolderIcon, FolderPlus, Images, Search } from 'lucide-react'
import { type KeyboardEvent, useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { chosenCount } from '../library/selection.ts'
import { announce } from '../ui/announce.tsx'
import { Modal } from '../ui/modal.tsx'
import type { Tree } from './folders.ts'
import { placesOf } from './places.ts'
import '../ui/dialogs.css'

export function MoveDialog({
  tree,
  ids,
  from,
  onMove,
  onNewFolder,
  onClose,
}: {
  tree: Tree
  ids: string[]
  /** Where all of them are now, if it is one place. */
  from: string | null | undefined
  onMove(folderId: string | null): void
  onNewFolder?(parentId: string | null): Promise<{ folderId: string } | null>
  onClose(): void
}) {
  const t = useTranslations('move')
  const root = useTranslations('library')('root')
  const app = useTranslations('app')
  const [words, setWords] = useState('')
  // What comes from several places has none that would be chosen before somebody does.
  const [chosen, setChosen] = useState(from)
  const moving = useMemo(() => ids.filter((id) => !tree.byId.get(id)?.protected), [tree, ids])
  const places = useMemo(() => placesOf(tree, moving, words, root), [tree, moving, words, root])
  const at = places.findIndex(({ folderId }) => folderId === chosen)
  const canMove = at >= 0 && chosen !== from

  /** The first that is found is chosen, so that it is seen what Enter does. */
  function find(sought: string) {
    setWords(sought)
    if (!sought.trim()) return setChosen(from)
    const hits = placesOf(tree, moving, sought, root)
    const hit = hits.find(({ folderId }) => folderId !== from) ?? hits[0]
    if (hit) setChosen(hit.folderId)
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      const next = places[Math.max(0, Math.min(at + step, places.length - 1))]
      if (!next) return
      setChosen(next.folderId)
      document.getElementById(optionId(next.folderId))?.scrollIntoView({ block: 'nearest' })
    }
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    if (canMove) onMove(chosen!)
    else if (places.length === 0) announce(t('none'))
    else if (at >= 0) announce(t('here'))
  }

  return (
    <Modal opened onClose={onClose} title={t('title', { count: chosenCount(moving) })} size={560}>
      <TextInput
        data-autofocus
        leftSection={<Search size={16} />}
        placeholder={t('search')}
        aria-label={t('search')}
        value={words}
        onChange={(event) => find(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        role="combobox"
        aria-expanded
        aria-controls="move-places"
        aria-activedescendant={at >= 0 ? optionId(chosen!) : undefined}
      />
      <div
        id="move-places"
        className="places"
        role="listbox"
        aria-label={t('title', { count: chosenCount(moving) })}
      >
        {places.map(({ folderId, name, depth, path }) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the search field takes the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the search field holds the focus
          <div
            key={folderId ?? 'top'}
            id={optionId(folderId)}
            role="option"
            aria-selected={folderId === chosen}
            className="place"
            style={{ paddingInlineStart: 12 + depth * 20 }}
            onClick={() => setChosen(folderId)}
            onDoubleClick={() => folderId !== from && onMove(folderId)}
          >
            {folderId ? <FolderIcon size={16} aria-hidden /> : <Images size={16} aria-hidden />}
            <span>{name}</span>
            {path && <small className="place-path">{path}</small>}
            {folderId === from && <small>{t('here')}</small>}
          </div>
        ))}
        {places.length === 0 && <p className="places-none">{t('none')}</p>}
      </div>
      <div className="dialog-acts">
        {onNewFolder && (
          <Button
            variant="subtle"
            leftSection={<FolderPlus size={16} />}
            className="dialog-start"
            onClick={async () => {
              const made = await onNewFolder(chosen ?? null)
              if (made) setChosen(made.folderId)
            }}
          >
            {t('newFolder', { place: tree.byId.get(chosen ?? '')?.name ?? root })}
          </Button>
        )}
        <Button variant="default" onClick={onClose}>
          {app('cancel')}
        </Button>
        <Button disabled={!canMove} onClick={() => onMove(chosen!)}>
          {t('button')}
        </Button>
      </div>
    </Modal>
  )
}

const optionId = (folderId: string | null) => `place-${folderId ?? 'top'}`
