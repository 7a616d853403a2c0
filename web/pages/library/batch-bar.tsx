import { Menu } from '@mantine/core'
import {
  CheckSquare,
  Copy,
  Download,
  Ellipsis,
  FolderInput,
  GalleryHorizontal,
  GalleryVerticalEnd,
  ListX,
  type LucideIcon,
  Megaphone,
  MessageCircleQuestion,
  RotateCcw,
  Send,
  Share2,
  Sparkles,
  Tag,
  Trash2,
  X,
} from 'lucide-react'
import { useFormatter, useTranslations } from 'use-intl'
import { useLibrary } from '../../library/library.tsx'
import { chosenCount, isFolderId, isShareable } from '../../library/selection.ts'
import { useSuggestMany } from '../../suggestions/suggest-many.ts'
import { useSuggestionWords } from '../../suggestions/words.ts'
import type { ActOnMany } from './overlays.ts'
import type { LibraryPage } from './use-commands.ts'

/** Of any target. */
const mostInPost = 35

interface Act {
  Icon: LucideIcon
  label: string
  run(): void
  /** Where there is little room it stands in a menu. */
  rare?: boolean
}

/** What can be done with everything selected, at the foot of the list. */
export function BatchBar({ page }: { page: LibraryPage }) {
  const t = useTranslations('batch')
  const actions = useTranslations('actions')
  const format = useFormatter()
  const { layout, selection, selectedCount: count, commands } = page
  const acts = useActs(page)
  const isNarrow = !layout.hasRoomForTree
  const shown = acts.filter(({ rare }) => !(rare && isNarrow))
  const all: Act = { Icon: CheckSquare, label: actions('selectAll'), run: commands.selectAll }
  // Elsewhere there are keys, and a menu of the ground.
  const rest = isNarrow ? [all, ...acts.filter(({ rare }) => rare)] : []
  return (
    <div className="batch-bar" role="toolbar" aria-label={t('label')}>
      <span className="batch-count">{t('selected', { count })}</span>
      <span className="batch-number" aria-hidden>
        {format.number(count)}
      </span>
      {shown.map(({ Icon, label, run }) => (
        <button
          key={label}
          type="button"
          className="batch-act"
          aria-label={label}
          title={label}
          onClick={run}
        >
          <Icon size={16} />
          <span>{label}</span>
        </button>
      ))}
      {rest.length > 0 && (
        <Menu position="top-end">
          <Menu.Target>
            <button type="button" className="batch-act" aria-label={t('more')}>
              <Ellipsis size={16} />
            </button>
          </Menu.Target>
          <Menu.Dropdown>
            {rest.map(({ Icon, label, run }) => (
              <Menu.Item key={label} leftSection={<Icon size={16} />} onClick={run}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      <button
        type="button"
        className="batch-act batch-clear"
        aria-label={actions('clearSelection')}
        title={actions('clearSelection')}
        onClick={() => selection.clear()}
      >
        <X size={16} />
      </button>
    </div>
  )
}

/** In their order, those that the person may and that make sense here. */
function useActs({ here, may, selectedIds: ids, commands }: LibraryPage): Act[] {
  const t = useTranslations('batch')
  const shares = useTranslations('shares')
  const collections = useTranslations('collections')
  const suggestions = useSuggestionWords()
  const suggest = useSuggestMany()
  const { can, frame } = useLibrary()
  const assets = chosenCount(ids.filter((id) => !isFolderId(id)))
  const opens = (kind: ActOnMany) => () => commands.openFor(kind, ids)
  const some = (is: boolean, ...acts: Act[]) => (is ? acts : [])

  if (here.isTrash)
    return [
      ...some(can('assets:delete') && commands.mayRestore(ids), {
        Icon: RotateCcw,
        label: t('restore'),
        run: () => commands.restore(ids),
      }),
      ...some(can('assets:purge') && commands.mayRestore(ids), {
        Icon: Trash2,
        label: t('purge'),
        run: opens('purge'),
      }),
    ]
  return [
    ...some(may.write, { Icon: FolderInput, label: t('move'), run: opens('move') }),
    ...some(
      may.write && assets > 0,
      { Icon: Tag, label: t('tag'), run: opens('tag') },
      { Icon: Megaphone, label: t('surfaces'), run: opens('surfaces') },
    ),
    ...some(may.write && assets > 0, {
      Icon: GalleryVerticalEnd,
      label: t('collect'),
      run: opens('collect'),
      rare: true,
    }),
    ...some(may.write && assets > 0 && suggest !== undefined, {
      Icon: Sparkles,
      label: suggestions.ask,
      run: () => void suggest!(ids),
      rare: true,
    }),
    ...some(may.deliver && assets > 0, {
      Icon: Send,
      label: t('deliver'),
      run: opens('deliver'),
      rare: true,
    }),
    ...some(may.write && assets > 0, {
      Icon: MessageCircleQuestion,
      label: t('review'),
      run: opens('review'),
      rare: true,
    }),
    ...some(can('shares:write') && isShareable(ids), {
      Icon: Share2,
      label: shares('shareShort'),
      run: opens('share'),
      rare: true,
    }),
    ...some(frame === 'admin' && assets > 1 && assets <= mostInPost, {
      Icon: GalleryHorizontal,
      label: t('plan'),
      run: opens('plan'),
      rare: true,
    }),
    ...some(assets > 0, {
      Icon: Copy,
      label: t('copyRefs'),
      run: () => commands.copy('refs', ids),
      rare: true,
    }),
    { Icon: Download, label: t('download'), run: () => commands.download(ids), rare: true },
    ...some(!!here.place.collection && may.write, {
      Icon: ListX,
      label: collections('takeOutShort'),
      run: () => commands.takeOut(ids),
    }),
    ...some(may.delete, {
      Icon: Trash2,
      label: here.place.collection ? collections('trash') : t('trash'),
      run: () => commands.trash(ids),
      rare: !!here.place.collection,
    }),
  ]
}
