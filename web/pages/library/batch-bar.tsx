import { Menu } from '@mantine/core'
import {
  CalendarClock,
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
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
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
  /** Where there is little room it stands only in a menu. */
  rare?: boolean
  /** Its words come before those of others. */
  often?: boolean
}

/** What can be done with everything selected, at the foot of the list. */
export function BatchBar({ page }: { page: LibraryPage }) {
  const t = useTranslations('batch')
  const actions = useTranslations('actions')
  const format = useFormatter()
  const { layout, selection, selectedCount: count, commands } = page
  const acts = useActs(page)
  const bar = useRef<HTMLDivElement>(null)
  const width = useWidthAround(bar)
  const isPhone = !layout.hasRoomForTree
  const { isTight, shown } = standIn(isPhone ? 0 : width, acts)
  const all: Act = { Icon: CheckSquare, label: actions('selectAll'), run: commands.selectAll }
  // Elsewhere there are keys, and a menu of the ground. Here it has words for each of the icons, too.
  const menu = isTight ? [all, ...acts] : []
  const selected = t('selected', { count })
  const worded = useRoomForWords(bar, isPhone ? [] : shown, width, selected)
  return (
    <div ref={bar} className="batch-bar" role="toolbar" aria-label={t('label')}>
      <span className="batch-count">{selected}</span>
      <span className="batch-number" aria-hidden>
        {format.number(count)}
      </span>
      {shown.map(({ Icon, label, run }) => (
        <button
          key={label}
          type="button"
          className="batch-act"
          aria-label={label}
          title={worded.has(label) ? undefined : label}
          data-worded={worded.has(label) || undefined}
          onClick={run}
        >
          <Icon size={16} />
          <span>{label}</span>
        </button>
      ))}
      {menu.length > 0 && (
        <Menu position="top-end">
          <Menu.Target>
            <button type="button" className="batch-act" aria-label={t('more')} title={t('more')}>
              <Ellipsis size={16} />
            </button>
          </Menu.Target>
          <Menu.Dropdown>
            {menu.map(({ Icon, label, run }) => (
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

/** In CSS pixels: a button with its gap; what else is in the bar and around it; the gap before words. */
const actWidth = 40
const besideActs = 200
const aroundBar = 24
const besideIcon = 6
/** About. */
const letterWidth = 7

/** Which of them stand in the bar: all, or those that are done often with their words, or those that are never rare. */
function standIn(width: number, acts: Act[]): { isTight: boolean; shown: Act[] } {
  const roomFor = (some: Act[]) => besideActs + (some.length + 1) * actWidth
  const often = acts.filter(({ often }) => often)
  const words = often.reduce((sum, { label }) => sum + besideIcon + label.length * letterWidth, 0)
  if (width >= roomFor(acts) + words) return { isTight: false, shown: acts }
  const usual = acts.filter(({ rare, often }) => !rare || often)
  const isEnough = width >= roomFor(usual) + actWidth
  return { isTight: true, shown: isEnough ? usual : acts.filter(({ rare }) => !rare) }
}

/** How wide the column is that it stands in. */
function useWidthAround(bar: RefObject<HTMLDivElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const around = bar.current!.parentElement!
    const measure = () => setWidth(around.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(around)
    return () => observer.disconnect()
  }, [bar])
  return width
}

/** Which of them have room for their words, those that are done often before all others. */
function useRoomForWords(
  bar: RefObject<HTMLDivElement | null>,
  acts: Act[],
  width: number,
  beside: string,
): ReadonlySet<string> {
  const [worded, setWorded] = useState('')
  const wanted = inLines([...acts.filter(({ often }) => often), ...acts.filter(({ often }) => !often)])
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever else stands in the bar takes room, too
  useLayoutEffect(
    () => setWorded(thatFit(bar.current!, width - aroundBar, wanted.split('\n')).join('\n')),
    [bar, wanted, width, beside],
  )
  return new Set(worded.split('\n'))
}

const inLines = (acts: Act[]) => acts.map(({ label }) => label).join('\n')

function thatFit(bar: HTMLElement, room: number, labels: string[]): string[] {
  const widths = new Map<string, number>()
  const { paddingLeft, paddingRight } = getComputedStyle(bar)
  const start = bar.firstElementChild!.getBoundingClientRect().left
  const end = bar.lastElementChild!.getBoundingClientRect().right
  let taken = end - start + Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight) + 2
  for (const act of bar.querySelectorAll<HTMLElement>('[aria-label]')) {
    const width = (act.querySelector('span')?.getBoundingClientRect().width ?? 0) + besideIcon
    widths.set(act.ariaLabel!, width)
    if (act.dataset.worded) taken -= width
  }
  return labels.filter((label) => {
    const width = widths.get(label) ?? 0
    const isFitting = taken + width <= room
    if (isFitting) taken += width
    return isFitting
  })
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
    ...some(may.write, { Icon: FolderInput, label: t('move'), run: opens('move'), often: true }),
    ...some(
      may.write && assets > 0,
      { Icon: Tag, label: t('tag'), run: opens('tag'), often: true },
      { Icon: Megaphone, label: t('surfaces'), run: opens('surfaces') },
      { Icon: CalendarClock, label: t('rights'), run: opens('rights'), rare: true },
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
    { Icon: Download, label: t('download'), run: () => commands.download(ids), rare: true, often: true },
    ...some(!!here.place.collection && may.write, {
      Icon: ListX,
      label: collections('takeOutShort'),
      run: () => commands.takeOut(ids),
      often: true,
    }),
    ...some(may.delete, {
      Icon: Trash2,
      label: here.place.collection ? collections('trash') : t('trash'),
      run: () => commands.trash(ids),
      rare: !!here.place.collection,
      often: true,
    }),
  ]
}
