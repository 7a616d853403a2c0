import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { ArrowDownUp, Ellipsis, FolderPlus, Info, Keyboard, LayoutGrid, List } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { type Sort, sorts } from '../../../contract/assets.ts'
import { Breadcrumb } from '../../folders/breadcrumb.tsx'
import type { Tree } from '../../folders/folders.ts'
import type { Place } from '../../library/place.ts'

/** Where we are, and how what is here is shown. */
export function Toolbar(props: {
  place: Place
  tree: Tree
  count: string
  view: 'grid' | 'list'
  detailsShown: boolean
  onNewFolder: (() => void) | undefined
  onSort(sort: Sort): void
  onView(view: 'grid' | 'list'): void
  onHelp: (() => void) | undefined
  onDetails(shown: boolean): void
  /** The menu of the folder that is open, where there is one. */
  onFolderMenu: ((spot: { x: number; y: number }) => void) | undefined
  tileSize: ReactNode
}) {
  const t = useTranslations('library')
  const tile = useTranslations('tile')
  const { place, view, detailsShown } = props
  const otherView = view === 'grid' ? 'list' : 'grid'
  return (
    <div className="toolbar">
      <Breadcrumb place={place} tree={props.tree} />
      {props.onFolderMenu && (
        <ActionIcon
          aria-label={tile('actions', { title: props.tree.byId.get(place.folder ?? '')?.name ?? '' })}
          onClick={({ currentTarget }) => {
            const { left, bottom } = currentTarget.getBoundingClientRect()
            props.onFolderMenu!({ x: left, y: bottom + 4 })
          }}
        >
          <Ellipsis size={18} />
        </ActionIcon>
      )}
      <span className="toolbar-count">{props.count}</span>
      <div className="toolbar-acts">
        {props.onNewFolder && (
          <ActionIcon className="new-folder-icon" onClick={props.onNewFolder} aria-label={t('newFolder')}>
            <FolderPlus size={18} />
          </ActionIcon>
        )}
        {props.tileSize}
        <SortMenu sort={place.sort ?? 'newest'} onSort={props.onSort} />
        <Tooltip label={t(otherView)}>
          <ActionIcon onClick={() => props.onView(otherView)} aria-label={t(otherView)}>
            {view === 'grid' ? <List size={18} /> : <LayoutGrid size={18} />}
          </ActionIcon>
        </Tooltip>
        {props.onHelp && (
          <Tooltip label={t('help')}>
            <ActionIcon onClick={props.onHelp} aria-label={t('help')}>
              <Keyboard size={18} />
            </ActionIcon>
          </Tooltip>
        )}
        <Tooltip label={t('details')}>
          <ActionIcon
            onClick={() => props.onDetails(!detailsShown)}
            aria-label={t('details')}
            aria-pressed={detailsShown}
            className={detailsShown ? 'is-on' : ''}
          >
            <Info size={18} />
          </ActionIcon>
        </Tooltip>
      </div>
    </div>
  )
}

function SortMenu({ sort, onSort }: { sort: Sort; onSort(sort: Sort): void }) {
  const t = useTranslations('library')
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <button type="button" className="sort-button" aria-label={`${t('sort')}: ${t(`sorts.${sort}`)}`}>
          <ArrowDownUp size={16} aria-hidden />
          <span>{t(`sorts.${sort}`)}</span>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {sorts.map((each) => (
          <Menu.Item key={each} onClick={() => onSort(each)} fw={each === sort ? 600 : undefined}>
            {t(`sorts.${each}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
