import { cancels, hasNewerVersion, isLeaving, missingParts } from '../once-there.ts'
import { useStore } from '../store.ts'
import { leave } from './holding.ts'
import './missing-parts.css'

interface MissingWords {
  partMissing: string
  newerVersion: string
  retry: string
  reload: string
  stay: string
  cancel: string
}

/** Says that a part of the app did not come, as long as it is missing. It comes with the page, unlike toasts. */
export function MissingParts({ words }: { words: MissingWords }) {
  const isLeavingPage = useStore(isLeaving)
  const missing = useStore(missingParts).filter(({ isPage }) => isLeavingPage || !isPage)
  const isOld = useStore(hasNewerVersion)
  const opening = useStore(cancels)
  if (missing.length === 0) return null
  const isPage = missing.some((part) => part.isPage)
  const said = (
    <div className="missing-parts" role="alert">
      <span>{isOld ? words.newerVersion : words.partMissing}</span>
      <button
        type="button"
        onClick={() => {
          if (isOld) leave(() => location.reload())
          else for (const { again } of missing) void again()
        }}
      >
        {isOld ? words.reload : words.retry}
      </button>
      {isPage && (
        <button type="button" onClick={stay}>
          {words.stay}
        </button>
      )}
      {!isPage && opening.length > 0 && (
        <button
          type="button"
          onClick={() => {
            for (const cancel of opening) cancel()
          }}
        >
          {words.cancel}
        </button>
      )}
    </div>
  )
  // The page that is still in sight is left already: whatever is done there would be done to the one that is missing.
  return isPage ? (
    <dialog
      ref={open}
      className="missing-page"
      aria-label={words.partMissing}
      onCancel={(event) => {
        event.preventDefault()
        stay()
      }}
    >
      {said}
    </dialog>
  ) : (
    said
  )
}

const open = (dialog: HTMLDialogElement | null) => {
  if (dialog && !dialog.open) dialog.showModal()
}

const stay = () => history.back()
