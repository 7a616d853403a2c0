import { useNavigate } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { LibraryProvider } from '../library/library.tsx'
import { useElsewhere } from './elsewhere.ts'
import { UploadTray } from './upload-tray.tsx'
import { UploadsProvider } from './uploading.tsx'

/** The tray of the library that was left last, on every other page: uploads go on there, and are seen to. */
export function TrayElsewhere() {
  const navigate = useNavigate()
  const place = useElsewhere().at(-1)
  const uploads = useSyncExternalStore(
    place?.engine.subscribe ?? noChanges,
    place?.engine.snapshot ?? nothing,
  )
  if (!place || !uploads?.uploads.length) return null
  const { library } = place
  return (
    <LibraryProvider value={library}>
      <UploadsProvider elsewhere>
        <UploadTray
          elsewhere
          onShow={({ assetId, folderId }) => {
            const search = { folder: folderId ?? undefined, asset: assetId }
            if (library.frame === 'portal') navigate({ to: '/portal/assets', search })
            else
              navigate({
                to: '/clients/$clientId/assets',
                params: { clientId: library.clientId },
                search,
              })
          }}
        />
      </UploadsProvider>
    </LibraryProvider>
  )
}

const noChanges = () => () => {}
const nothing = () => null
