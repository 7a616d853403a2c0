import { FolderSearch, Images } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { hasWord } from '../../../contract/folding.ts'
import { searchedWords } from '../../../contract/searched-words.ts'
import { useFolderTree } from '../../folders/folders.ts'
import { inTrash, looksBelow, looksEverywhere, mayLookByFolder, type Place } from '../../library/place.ts'
import { useCount } from './use-count.ts'
import type { PageState } from './use-page-state.ts'

/** What was asked for and where it is looked for; in a folder one may stay there and below. */
export function SearchScope({
  list,
  isCounted,
  asked,
  here,
  collection,
  onGo,
}: {
  list: PageState['list']
  /** How many were found is said here, where the toolbar has no room for it. */
  isCounted: boolean
  /** The place that is on its way: what is switched on or off shows at once. */
  asked: Place
  here: string
  /** The name of the collection that is looked into. */
  collection: string | undefined
  onGo(change: Partial<Place>): void
}) {
  const t = useTranslations('library')
  const finding = useTranslations('finding')
  const tile = useTranslations('tile')
  const { place, meant, byFolder, byMeaning, folders } = list
  const found = useCount(list)
  const count = isCounted && found
  const below = looksBelow(asked)
  const tree = useFolderTree()
  const mayStay = tree.byId.has(place.folder ?? '')
  const mayMean = !!place.q && (byMeaning !== undefined || place.meaning === 'off')
  const isNamed = useMemo(
    () => [...tree.byId.values()].some(({ name }) => hasOne(name, meant ?? place.q)),
    [tree, meant, place.q],
  )
  const isOffered = mayLookByFolder(place) && !byFolder && !asked.byFolder && (folders.length > 0 || isNamed)
  if (!place.q && !mayStay && !collection && !count) return null
  const where = collection
    ? t('inCollection', { collection })
    : looksEverywhere(place)
      ? t(inTrash(place) ? 'inTrash' : 'everywhere')
      : ''
  return (
    <div className="results">
      {count && <strong>{count}</strong>}
      {place.q ? (
        <span>
          {meant
            ? finding(meantWhere(place, collection), { q: place.q, meant, collection: collection ?? '' })
            : `${t('results', { q: place.q })} ${where}`}
        </span>
      ) : (
        collection && <span>{t('onlyInCollection', { collection })}</span>
      )}
      {byFolder && !place.byFolder && (
        <span>{finding('unaskedByFolder', { count: searchedWords(meant ?? place.q).length })}</span>
      )}
      {mayMean && (
        <label>
          <input
            type="checkbox"
            checked={asked.meaning !== 'off'}
            onChange={() => onGo({ meaning: asked.meaning === 'off' ? undefined : 'off' })}
          />
          {tile('alsoSimilar')}
        </label>
      )}
      {isOffered && (
        <button type="button" className="chip chip-clear" onClick={() => onGo({ byFolder: true })}>
          <FolderSearch size={14} aria-hidden />
          {finding('byFolder')}
        </button>
      )}
      {collection && (
        <button type="button" className="chip chip-clear" onClick={() => onGo({ collection: undefined })}>
          <Images size={14} aria-hidden />
          {t('lookEverywhere')}
        </button>
      )}
      {mayStay && (
        <label>
          <input
            type="checkbox"
            checked={below}
            onChange={() => onGo({ scope: below ? 'everywhere' : 'below' })}
          />
          {t('below', { folder: here })}
        </label>
      )}
    </div>
  )
}

function meantWhere(place: Place, collection: string | undefined) {
  if (collection) return 'meantInCollection'
  if (!looksEverywhere(place)) return 'meant'
  return inTrash(place) ? 'meantInTrash' : 'meantEverywhere'
}

/** One word is enough: the others may be elsewhere. */
const hasOne = (name: string, q: string | undefined) => searchedWords(q).some((word) => hasWord(name, word))
