import { Button, Modal, TextInput } from '@mantine/core'
import { Folder as FolderIcon, FolderPlus, Images, Search } from 'lucide-react'
import { type KeyboardEvent, useMemo, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import type { Provenance } from '../../../contract/assets.ts'
import type { Conflict } from '../../assets/conflicts.ts'
import { lastDayOf } from '../../assets/rights.ts'
import type { Tree } from '../../folders/folders.ts'
import '../../ui/dialogs.css'

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
  const [chosen, setChosen] = useState<string | null>(from ?? null)
  const moving = useMemo(() => ids.filter((id) => !tree.byId.get(id)?.protected), [tree, ids])
  const places = useMemo(() => placesOf(tree, moving, words, root), [tree, moving, words, root])
  const at = places.findIndex(({ folderId }) => folderId === chosen)
  const canMove = at >= 0 && chosen !== from
  const [hit, ...otherHits] = words.trim() ? places : []

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      const next = places[Math.max(0, Math.min(at + step, places.length - 1))]
      if (!next) return
      setChosen(next.folderId)
      document.getElementById(optionId(next.folderId))?.scrollIntoView({ block: 'nearest' })
    }
    if (event.key !== 'Enter') return
    if (canMove) onMove(chosen)
    else if (hit && !otherHits.length && hit.folderId !== from) onMove(hit.folderId)
  }

  return (
    <Modal opened onClose={onClose} title={t('title', { count: moving.length })} size={560}>
      <TextInput
        data-autofocus
        leftSection={<Search size={16} />}
        placeholder={t('search')}
        aria-label={t('search')}
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        role="combobox"
        aria-expanded
        aria-controls="move-places"
        aria-activedescendant={at >= 0 ? optionId(chosen) : undefined}
      />
      <div
        id="move-places"
        className="places"
        role="listbox"
        aria-label={t('title', { count: moving.length })}
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
              const made = await onNewFolder(chosen)
              if (made) setChosen(made.folderId)
            }}
          >
            {t('newFolder', { place: tree.byId.get(chosen ?? '')?.name ?? root })}
          </Button>
        )}
        <Button variant="default" onClick={onClose}>
          {app('cancel')}
        </Button>
        <Button disabled={!canMove} onClick={() => onMove(chosen)}>
          {t('button')}
        </Button>
      </div>
    </Modal>
  )
}

const optionId = (folderId: string | null) => `place-${folderId ?? 'top'}`

interface PlaceOption {
  folderId: string | null
  name: string
  depth: number
  /** Where it is; only among hits, which do not stand below it. */
  path?: string
}

/** Everywhere these could go: never into themselves, and folders never into what the Social agent shapes. */
function placesOf(tree: Tree, ids: string[], words: string, root: string): PlaceOption[] {
  const moving = new Set(ids)
  const movesFolders = ids.some((id) => tree.byId.has(id))
  const wanted = words.trim().toLowerCase()
  const places: PlaceOption[] = []
  const offer = (place: PlaceOption) => {
    if (place.name.toLowerCase().includes(wanted))
      places.push(wanted ? { ...place, depth: 0, path: above(place.folderId) } : place)
  }
  const above = (folderId: string | null) =>
    folderId
      ? [
          root,
          ...tree
            .path(folderId)
            .slice(0, -1)
            .map(({ name }) => name),
        ].join(' › ')
      : undefined
  offer({ folderId: null, name: root, depth: 0 })
  const walk = (parentId: string | null, depth: number) => {
    for (const folder of tree.inside(parentId)) {
      if (moving.has(folder.folderId)) continue
      if (!(movesFolders && folder.protected)) offer({ folderId: folder.folderId, name: folder.name, depth })
      walk(folder.folderId, depth + 1)
    }
  }
  walk(null, 1)
  return places
}

export function ConflictDialog({
  conflict,
}: {
  conflict: Conflict & { answer(choice: 'yours' | 'theirs'): void }
}) {
  const t = useTranslations('conflict')
  const fields = useTranslations('fields')
  const surfaces = useTranslations('surfaces')
  const rights = useTranslations('rights')
  const format = useFormatter()
  const lastDay = (end: string) => format.dateTime(lastDayOf(end), { dateStyle: 'medium' })
  const { title, field, yours, theirs, answer } = conflict
  const fieldName = field === 'allowedSurfaces' ? surfaces('label') : fields(field)
  const shown = (value: Conflict['yours']) => {
    if (field === 'provenance') return rights(`origins.${value as Provenance}`)
    if (field === 'rightsExpireAt') return value ? lastDay(value as string) : t('empty')
    return typeof value === 'string'
      ? value || t('empty')
      : (value ?? []).map((surface) => surfaces(surface)).join(', ') || surfaces('all')
  }
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={t('title')}
      size={560}
      zIndex={300}
    >
      <p className="dialog-text">{t('text', { title, field: fieldName })}</p>
      <div className="versus">
        <figure>
          <figcaption>{t('yours')}</figcaption>
          <blockquote>{shown(yours)}</blockquote>
        </figure>
        <figure>
          <figcaption>{t('theirs')}</figcaption>
          <blockquote>{shown(theirs)}</blockquote>
        </figure>
      </div>
      <div className="dialog-acts">
        <Button variant="default" onClick={() => answer('theirs')}>
          {t('keepTheirs')}
        </Button>
        <Button data-autofocus onClick={() => answer('yours')}>
          {t('keepYours')}
        </Button>
      </div>
    </Modal>
  )
}

export function HelpDialog({ onClose }: { onClose(): void }) {
  const t = useTranslations('help')
  const keys: [keys: string, what: string][] = [
    [t('keys.arrows'), t('move')],
    [t('keys.shiftArrows'), t('range')],
    [t('keys.all'), t('all')],
    [t('keys.esc'), t('clear')],
    [t('keys.enter'), t('open')],
    [t('keys.space'), t('quickLook')],
    ['F2', t('rename')],
    [t('keys.del'), t('trash')],
    ['M', t('moveTo')],
    ['U', t('upload')],
    ['N', t('newFolder')],
    ['/', t('search')],
    ['I', t('details')],
    ['V', t('view')],
    [t('keys.undo'), t('undo')],
    [t('keys.menu'), t('menu')],
    ['Alt + ↑', t('parent')],
    ['?', t('help')],
  ]
  return (
    <Modal opened onClose={onClose} title={t('title')} size={640}>
      <dl className="help-keys">
        {keys.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
