import { type ReactNode, Suspense, useState } from 'react'
import { useConflict } from '../../assets/conflicts.ts'
import { showHolders, useHolders } from '../../assets/holders.ts'
import { useJobLeft } from '../../assets/use-job-left.ts'
import { useLivingFolder } from '../../folders/use-living-folder.ts'
import { useLibrary } from '../../library/library.tsx'
import { useLiveChanges } from '../../library/live.ts'
import { isFiltered } from '../../library/place.ts'
import { ProgressNote } from '../../library/progress-note.tsx'
import { useRememberVisit } from '../../library/visits.ts'
import { hasRunLeft } from '../../suggestions/run-left.ts'
import { partOf } from '../../ui/part.ts'
import { DropZone, UploadTray } from '../../uploads/uploads.tsx'
import { ClientTabs } from '../tabs.tsx'
import { Contents } from './contents.tsx'
import { FilterChips } from './filter-chips.tsx'
import { useKeys } from './keys.ts'
import { BatchBar, OpenDialog, OpenMenu, useLater } from './later.ts'
import { DetailsPanel, TreePanel } from './panels.tsx'
import { Toolbar } from './toolbar.tsx'
import { TopBar } from './top-bar.tsx'
import { type LibraryPage, useCommands } from './use-commands.ts'
import { usePageState } from './use-page-state.ts'
import { useSpokenChanges } from './use-spoken-changes.ts'
import './library.css'

const SearchScope = partOf(() => import('./search-scope.tsx'), 'SearchScope')
const RunLeft = partOf(() => import('../../suggestions/suggest-many.ts'), 'RunLeft')
const TrashHint = partOf(() => import('./trash-hint.tsx'), 'TrashHint')
const ConflictDialog = partOf(() => import('../../assets/conflict-dialog.tsx'), 'ConflictDialog')
const HoldersDialog = partOf(() => import('../../assets/holders-dialog.tsx'), 'HoldersDialog')

/** The library page. Admin and portal are two frames of it: the title differs, and nothing else here. */
export function AssetLibrary({ title, beside }: { title: string; beside?: ReactNode }) {
  const state = usePageState()
  const commands = useCommands(state)
  const page: LibraryPage = { ...state, commands }
  const { here } = page
  const library = useLibrary()
  const [runLeft] = useState(() => hasRunLeft(library))
  useLiveChanges()
  useJobLeft()
  useLivingFolder(here.folderId, page.tree, commands.openFolder)
  useSpokenChanges(page, title)
  useKeys(page)
  useLater(page.list.isSettled)
  useRememberVisit(library, here.place, page.selection)

  return (
    <div className="library">
      <TopBar page={page} title={title} beside={beside} />
      <ClientTabs />
      <div className="library-columns">
        <TreePanel page={page} />
        <DropZone into={here} disabled={here.isTrash}>
          <MainColumn page={page} />
        </DropZone>
        <DetailsPanel page={page} />
      </div>
      <UploadTray onShow={commands.showAsset} />
      <Suspense>
        {page.menu && <OpenMenu page={page} menu={page.menu} onClose={commands.closeMenu} />}
        {page.dialog && <OpenDialog page={page} dialog={page.dialog} onClose={commands.closeDialog} />}
        <Questions />
        {runLeft && <RunLeft />}
      </Suspense>
    </div>
  )
}

function MainColumn({ page }: { page: LibraryPage }) {
  const { here, list, layout, selectedCount } = page
  const refine = (...[change, options]: Parameters<typeof here.go>) =>
    here.go({ ...change, asset: undefined }, options)
  const isSelecting = selectedCount > 1 || (selectedCount === 1 && (here.isTrash || !layout.hasRoomForTree))
  return (
    <main
      className={`main-column ${selectedCount > 1 ? 'has-selection' : ''}`}
      data-stale={list.isStale || undefined}
    >
      <Toolbar page={page} />
      {!here.isTrash && <FilterChips place={here.place} onGo={refine} />}
      <Suspense>
        {here.isTrash && <TrashHint page={page} />}
        {isFiltered(list.place) && (
          <SearchScope
            list={list}
            isCounted={!layout.hasRoomForTree}
            asked={here.place}
            here={here.name}
            collection={here.collection?.name}
            onGo={refine}
          />
        )}
      </Suspense>
      <Contents page={page} />
      <Suspense>{isSelecting && <BatchBar page={page} />}</Suspense>
      <ProgressNote />
    </main>
  )
}

function Questions() {
  const conflict = useConflict()
  const holders = useHolders()
  return (
    <>
      {conflict && <ConflictDialog conflict={conflict} />}
      {holders && <HoldersDialog holders={holders} onClose={() => showHolders(null)} />}
    </>
  )
}
