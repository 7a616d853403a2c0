import { ActionIcon, Button } from '@mantine/core'
import { FolderPlus, PanelLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { whereItLooked } from '../../library/place.ts'
import { UploadButton } from '../../uploads/uploads.tsx'
import { AppBar } from '../app-bar.tsx'
import { SearchBox } from './search-box.tsx'
import type { LibraryPage } from './use-commands.ts'

/** The bar of the page: whose library it is, the search, and what can be brought in. */
export function TopBar({ page, title, beside }: { page: LibraryPage; title: string; beside?: ReactNode }) {
  const t = useTranslations('library')
  const { here, layout, grid, may, commands } = page
  return (
    <AppBar
      title={title}
      beside={beside}
      start={
        !layout.hasRoomForTree && (
          <ActionIcon size={36} onClick={() => layout.setTreeShown(true)} aria-label={t('openFolders')}>
            <PanelLeft size={20} />
          </ActionIcon>
        )
      }
    >
      <SearchBox
        ref={page.search}
        q={here.place.q}
        onSearch={(q) =>
          here.go(
            { q, asset: undefined, ...whereItLooked(here.place), ...(!q && { byFolder: undefined }) },
            { replace: !!here.place.q },
          )
        }
        onLeave={() => grid.current?.focus()}
      />
      {may.shape && (
        <Button
          variant="default"
          className="new-folder"
          leftSection={<FolderPlus size={16} />}
          onClick={commands.newFolder}
        >
          {t('newFolder')}
        </Button>
      )}
      {!here.isTrash && <UploadButton into={here} />}
    </AppBar>
  )
}
