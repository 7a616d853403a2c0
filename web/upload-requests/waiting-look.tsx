import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { isFilm } from '../../contract/media-types.ts'
import type { WaitingFile } from '../../contract/upload-requests.ts'
import { useLibrary } from '../library/library.tsx'
import { dialogTitle } from '../ui/dialog-title.ts'
import { Modal } from '../ui/modal.tsx'
import { PictureOrIcon } from '../ui/picture-or-icon.tsx'
import { waitingFilmUrl, waitingPreviewUrl } from './upload-requests.ts'

/** A file that waits, as large as there is room, before it is decided on. */
export function WaitingLook({ file, onClose }: { file: WaitingFile; onClose(): void }) {
  const t = useTranslations('uploadRequests')
  const library = useLibrary()
  const [failed, setFailed] = useState(false)
  const { originalFilename, mimeType, hasPreview } = file
  const picture = hasPreview ? waitingPreviewUrl(library, file) : undefined
  return (
    <Modal opened onClose={onClose} size="xl" title={originalFilename} styles={dialogTitle}>
      <div className="waiting-look">
        {isFilm(mimeType) && !failed ? (
          // biome-ignore lint/a11y/useMediaCaption: nobody has written any
          <video
            // An error before the element is on the page is heard by nobody.
            ref={(film) => void (film?.error && setFailed(true))}
            src={waitingFilmUrl(library, file)}
            poster={picture}
            controls
            playsInline
            preload="metadata"
            onError={() => setFailed(true)}
          />
        ) : (
          picture && <PictureOrIcon src={picture} alt={originalFilename} />
        )}
        {(failed || (!picture && !isFilm(mimeType))) && (
          <p role="status">{t(failed ? 'cannotPlay' : 'noPicture')}</p>
        )}
      </div>
    </Modal>
  )
}
