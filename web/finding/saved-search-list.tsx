import { ActionIcon, Menu } from '@mantine/core'
import { Bookmark, Ellipsis, TriangleAlert, Users } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { SavedSearch } from '../../contract/saved-searches.ts'
import { type Place, placeOf } from '../library/place.ts'
import { useUndo } from '../library/undo.ts'
import { partOf } from '../ui/part.ts'
import { toast } from '../ui/toast.tsx'
import { useProblemText } from '../words/problem-text.ts'
import { useOpenSearches, useSavedSearches, useSavingSearches } from './saved-searches.ts'
import './saved-search-list.css'

const Confirm = partOf(() => import('../ui/confirm.tsx'), 'Confirm')
const SaveDialog = partOf(() => import('./save-dialog.tsx'), 'SaveDialog')

/** The searches that were saved, under the folders: one's own, and those of the client. */
export function SavedSearchList({ place, onGo }: { place: Place; onGo(place: Place): void }) {
  const t = useTranslations('finding')
  const tile = useTranslations('tile')
  const failed = useTranslations('failed')
  const problemText = useProblemText()
  const undo = useUndo()
  const { data: searches = [] } = useSavedSearches({ isList: true })
  const opened = useOpenSearches(place)
  const { save, remove } = useSavingSearches()
  const [renamed, setRenamed] = useState<SavedSearch | null>(null)
  const [doomed, setDoomed] = useState<SavedSearch | null>(null)
  if (searches.length === 0) return null

  function open({ savedSearchId, search, gone }: SavedSearch) {
    if (gone.length > 0) toast({ about: 'saved-search', text: lacks(gone) })
    const { folderId, collectionId, below, ...rest } = search
    const place = placeOf({
      ...rest,
      ...(!gone.includes('folder') && { folderId, below }),
      ...(!gone.includes('collection') && { collectionId }),
    })
    onGo({ ...place, saved: savedSearchId })
  }

  const lacks = (gone: SavedSearch['gone']) => gone.map((what) => t(`gone.${what}`)).join(' ')

  async function removeNow({ savedSearchId, name, search, for: whose }: SavedSearch) {
    setDoomed(null)
    try {
      await remove(savedSearchId)
      undo.offer(t('deleted', { name }), async () => {
        await save({ name, search, for: whose })
      })
    } catch (error) {
      toast({ about: 'saved-search', text: `${failed('notDone')} ${problemText(error)}`, bad: true })
    }
  }

  return (
    <section className="saved-searches" aria-labelledby="saved-searches-title">
      <h2 id="saved-searches-title">{t('title')}</h2>
      <ul>
        {searches.map((each) => (
          <li key={each.savedSearchId}>
            <button
              type="button"
              className="tree-place"
              aria-current={opened.includes(each) ? 'page' : undefined}
              onClick={() => open(each)}
            >
              <Bookmark size={16} aria-hidden />
              <span className="saved-search-name" title={each.name}>
                {each.name}
              </span>
              {each.gone.length > 0 && <TriangleAlert size={14} aria-label={lacks(each.gone)} role="img" />}
              {each.for === 'client' && <Users size={14} aria-label={t('ofAll')} role="img" />}
            </button>
            {each.mayChange && (
              <Menu position="bottom-end">
                <Menu.Target>
                  <ActionIcon
                    className="saved-search-more"
                    aria-label={tile('actions', { title: each.name })}
                  >
                    <Ellipsis size={16} />
                  </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item onClick={() => setRenamed(each)}>{t('change')}</Menu.Item>
                  <Menu.Item
                    color="red"
                    onClick={() => (each.for === 'client' ? setDoomed(each) : void removeNow(each))}
                  >
                    {t('delete')}
                  </Menu.Item>
                </Menu.Dropdown>
              </Menu>
            )}
          </li>
        ))}
      </ul>
      <Suspense>
        {renamed && <SaveDialog place={{}} saved={renamed} onClose={() => setRenamed(null)} />}
        {doomed && (
          <Confirm
            title={t('deleteTitle', { name: doomed.name })}
            text={t('deleteText')}
            button={t('delete')}
            error={null}
            isPending={false}
            onConfirm={() => void removeNow(doomed)}
            onClose={() => setDoomed(null)}
          />
        )}
      </Suspense>
    </section>
  )
}
