import { useNavigate } from '@tanstack/react-router'
import { LibraryProvider } from '../library/library.tsx'
import { useStore } from '../store.ts'
import { type Place, useElsewhere } from './elsewhere.ts'
import { UploadTray } from './upload-tray.tsx'
import { UploadsProvider } from './uploading.tsx'

/** The tray of the library that was left last, on every other page: uploads go on there, and are seen to. */
export function TrayElsewhere() {
  const place = useElsewhere().at(-1)
  return place && <TrayOf place={place} />
}

function TrayOf({ place: { library, engine } }: { place: Place }) {
  const navigate = useNavigate()
  const isEmpty = useStore(engine.snapshot, ({ uploads }) => uploads.length === 0)
  if (isEmpty) return null
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
