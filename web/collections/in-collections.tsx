import { useTranslations } from 'use-intl'
import type { Asset } from '../../contract/assets.ts'
import { useCollectionsOf } from './collections.ts'
import './collections.css'

/** The collections in which an asset stands. */
export function InCollections({ asset, onOpen }: { asset: Asset; onOpen(collectionId: string): void }) {
  const t = useTranslations('collections')
  const collections = useCollectionsOf(asset.assetId)
  if (!collections?.length) return null
  return (
    <section className="details-section">
      <h3>{t('inCollections')}</h3>
      <ul className="in-collections">
        {collections.map(({ collectionId, name }) => (
          <li key={collectionId} className="tag">
            <button type="button" className="tag-name" onClick={() => onOpen(collectionId)}>
              {name}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
