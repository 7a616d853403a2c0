import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { ArrowDownUp, Ellipsis, FolderPlus, Info, Keyboard, LayoutGrid, List, Table2 } from 'lucide-react'
import { useTranslations } from 'use-intl'
import type { Sort } from '../../../contract/search.ts'
import { Breadcrumb } from '../../folders/breadcrumb.tsx'
import { isFiltered, sortsOf, unaskedSort } from '../../library/place.ts'
import { TileSize } from './tile-size.tsx'
import type { LibraryPage } from './use-commands.ts'
import { useCount } from './use-count.ts'

/** Where we are, and how what is here is shown. */
export function Toolbar({ page }: { page: LibraryPage }) {
  const t = useTranslations('library')
  const actions = useTranslations('actions')
  const { tree, here, layout, list, may, commands } = page
  const { place, folderId } = here
  const { view, detailsShown } = layout
  const otherView = view === 'grid' ? 'list' : 'grid'
  const unasked =
    place.collection && (!place.q || list.isUnranked) ? 'place' : unaskedSort(place, list.isUnranked)
  const count = useCount(list)
  const isShown = !list.isLoading && !list.error && list.order.length > 0
  return (
    <div className="toolbar">
      <Breadcrumb
        place={place}
        tree={tree}
        trashed={list.path}
        collection={here.collection?.name}
        isEverywhere={list.isEverywhere}
      />
      {folderId && !list.isEverywhere && tree.byId.has(folderId) && (
        <PlaceMenuButton page={page} id={folderId} />
      )}
      {here.collection && <PlaceMenuButton page={page} id={here.collection.collectionId} />}
      <span className="toolbar-count">{(layout.hasRoomForTree || !isFiltered(list.place)) && count}</span>
      <div className="toolbar-acts">
        {may.shape && (
          <ActionIcon className="new-folder-icon" onClick={commands.newFolder} aria-label={t('newFolder')}>
            <FolderPlus size={18} />
          </ActionIcon>
        )}
        {view === 'grid' && layout.hasRoomForTree && (
          <TileSize size={layout.tileSize} onSize={layout.setTileSize} />
        )}
        <SortMenu
          sort={place.sort ?? unasked}
          ways={[...new Set<Way>([unasked, ...sortsOf(place)])]}
          onSort={(sort) => here.go({ sort: sort === unasked || sort === 'place' ? undefined : sort })}
        />
        <Tooltip label={t(otherView)}>
          <ActionIcon onClick={commands.toggleView} aria-label={t(otherView)}>
            {view === 'grid' ? <List size={18} /> : <LayoutGrid size={18} />}
          </ActionIcon>
        </Tooltip>
        {layout.hasRoomForTree && isShown && !here.isTrash && (
          <Tooltip label={actions('texts')}>
            <ActionIcon onClick={commands.openTexts} aria-label={actions('texts')}>
              <Table2 size={18} />
            </ActionIcon>
          </Tooltip>
        )}
        {layout.hasRoomForTree && (
          <Tooltip label={t('help')}>
            <ActionIcon onClick={commands.help} aria-label={t('help')}>
              <Keyboard size={18} />
            </ActionIcon>
          </Tooltip>
        )}
        <Tooltip label={t('details')}>
          <ActionIcon
            onClick={commands.toggleDetails}
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

/** The menu of the folder or the collection that is open. */
function PlaceMenuButton({ page, id }: { page: LibraryPage; id: string }) {
  const t = useTranslations('tile')
  return (
    <ActionIcon
      aria-label={t('actions', { title: page.here.name })}
      onClick={({ currentTarget }) => {
        const { left, bottom } = currentTarget.getBoundingClientRect()
        page.commands.openTreeMenu(id, { x: left, y: bottom + 4 })
      }}
    >
      <Ellipsis size={18} />
    </ActionIcon>
  )
}

type Way = Sort | 'place'

function SortMenu({ sort, ways, onSort }: { sort: Way; ways: readonly Way[]; onSort(sort: Way): void }) {
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
        {ways.map((each) => (
          <Menu.RadioItem
            key={each}
            value={each}
            checked={each === sort}
            onChange={() => onSort(each)}
            closeMenuOnClick
          >
            {t(`sorts.${each}`)}
          </Menu.RadioItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
