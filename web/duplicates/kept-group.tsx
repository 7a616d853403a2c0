import { Button } from '@mantine/core'
import { useFormatter, useTranslations } from 'use-intl'
import type { Asset } from '../../contract/assets.ts'
import type { KeptGroup } from '../../contract/duplicates.ts'
import { Picture } from '../assets/picture.tsx'
import { useLibrary } from '../library/library.tsx'
import { useReopen } from './kept-groups.ts'

/** What was kept as it is, and can show among the duplicates again. */
export function Kept({
  group,
  where,
  onShow,
  onReopened,
}: {
  group: KeptGroup
  /** The path of a folder. */
  where(folderId: string | null): string
  onShow(asset: Asset): void
  /** It goes next. */
  onReopened(): void
}) {
  const t = useTranslations('duplicates')
  const format = useFormatter()
  const library = useLibrary()
  const reopen = useReopen(onReopened)
  const { assets, count, keptAt } = group
  const { title } = assets[0]!
  return (
    <li className="card duplicate-group">
      <div className="duplicate-head">
        <h3 tabIndex={-1}>{t('group', { title, count })}</h3>
        {library.can('assets:delete') && (
          <Button
            size="xs"
            variant="default"
            aria-label={`${t('reopen')}: ${title}`}
            loading={reopen.isPending}
            onClick={() => reopen.mutate(group)}
          >
            {t('reopen')}
          </Button>
        )}
      </div>
      <span className="duplicate-facts">
        {t('keptOn', { date: format.dateTime(new Date(keptAt), { dateStyle: 'medium' }) })}
      </span>
      <ul className="duplicates">
        {assets.map((asset) => (
          <li key={asset.assetId} className="duplicate">
            <button
              type="button"
              className="duplicate-picture"
              disabled={asset.trashedAt !== null}
              onClick={() => onShow(asset)}
              title={asset.title}
            >
              <Picture asset={asset} library={library} sizes={200} alt={asset.title} />
            </button>
            <strong className="duplicate-title">{asset.title}</strong>
            <span className="duplicate-facts">{asset.trashedAt ? t('inTrash') : where(asset.folderId)}</span>
          </li>
        ))}
      </ul>
    </li>
  )
}
