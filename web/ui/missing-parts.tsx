import { hasNewerVersion, isLeaving, missingParts } from '../once-there.ts'
import { useStore } from '../store.ts'
import { leave } from './holding.ts'
import './missing-parts.css'

/** Says that a part of the app did not come, as long as it is missing. It comes with the page, unlike toasts. */
export function MissingParts({
  words,
}: {
  words: { partMissing: string; newerVersion: string; retry: string; reload: string }
}) {
  const isLeavingPage = useStore(isLeaving)
  const missing = useStore(missingParts).filter(({ isPage }) => isLeavingPage || !isPage)
  const isOld = useStore(hasNewerVersion)
  if (missing.length === 0) return null
  return (
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
    </div>
  )
}
