import { useTranslations } from 'use-intl'
import { useCollection } from '../../collections/collections.ts'
import type { Tree } from '../../folders/folders.ts'
import { inTrash, looksFurther, placeKeyOf } from '../../library/place.ts'
import { usePlace } from '../../library/use-place.ts'

/** Where in the library the person is, and how to go elsewhere. */
export function useHere(tree: Tree) {
  const t = useTranslations('library')
  const { place, go } = usePlace()
  const isTrash = inTrash(place)
  const folderId = place.folder && !isTrash && !place.collection ? place.folder : null
  const collection = useCollection(place.collection)
  return {
    place,
    go,
    isTrash,
    /** The folder that is open; null at the top and in the trash. */
    folderId,
    /** What is uploaded here is put into it, too. */
    collectionId: place.collection ?? null,
    /** The collection that is open, once its name is known. */
    collection,
    name: isTrash ? t('trash') : (collection?.name ?? tree.byId.get(folderId ?? '')?.name ?? t('root')),
    /** What is listed may come from many folders. */
    isMixed: looksFurther(place) && !isTrash,
    /** Tells this place from others. */
    placeKey: placeKeyOf(place),
  }
}
