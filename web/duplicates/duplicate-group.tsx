import { Button } from '@mantine/core'
import { useFormatter, useLocale, useTranslations } from 'use-intl'
import type { Asset } from '../../contract/assets.ts'
import type { Duplicate, DuplicateGroup } from '../../contract/duplicates.ts'
import { Picture } from '../assets/picture.tsx'
import { useLibrary } from '../library/library.tsx'
import { fileSize } from '../words/file-size.ts'
import { type Keeping, useKeepOne } from './duplicates.ts'
import { useKeepAll } from './kept-groups.ts'
import { useLimitWords } from './limits.ts'

/** So many of the same file go without a question. */
const few = 3

/** What is there more than once, side by side, with the one that had better be kept and why. */
export function Group({
  group,
  where,
  onShow,
  onAsk,
  onKept,
}: {
  group: DuplicateGroup
  /** The path of a folder. */
  where(folderId: string | null): string
  onShow(one: Duplicate): void
  /** Many go, or such as are not the same: somebody has to agree first. */
  onAsk(keeping: Keeping, keep: (some: Asset[]) => void): void
  /** It goes next. */
  onKept(): void
}) {
  const t = useTranslations('duplicates')
  const keep = useKeepOne(onKept)
  const keepAll = useKeepAll(onKept)
  const isBusy = keep.isPending || keepAll.isPending
  const { can } = useLibrary()
  const { kind, duplicates, more, suggested, why } = group
  const first = duplicates[0]!.asset.title

  function keepThis({ asset }: Duplicate) {
    const others = duplicates.map((each) => each.asset).filter((each) => each !== asset)
    const keeping = { keep: asset, others }
    if (kind === 'exact' && others.length <= few) keep.mutate(keeping)
    else onAsk(keeping, (some) => keep.mutate({ keep: asset, others: some }))
  }

  return (
    <li className="card duplicate-group">
      <div className="duplicate-head">
        <h3 tabIndex={-1}>{t(more ? 'groupMore' : 'group', { title: first, count: duplicates.length })}</h3>
        {can('assets:delete') && (
          <Button
            size="xs"
            variant="default"
            aria-label={`${t('keepAll')}: ${first}`}
            loading={keepAll.isPending}
            disabled={isBusy}
            onClick={() => keepAll.mutate(group)}
          >
            {t('keepAll')}
          </Button>
        )}
      </div>
      <ul className="duplicates">
        {duplicates.map((one) => {
          const { assetId, title } = one.asset
          const isBest = assetId === suggested
          return (
            <li key={assetId} className="duplicate" data-suggested={isBest}>
              <OneOfThem one={one} where={where(one.asset.folderId)} onShow={() => onShow(one)} />
              {isBest && (
                <p className="duplicate-why">
                  {t('suggested')}
                  {why.length > 0 && `: ${why.map((reason) => t(`why.${reason}`)).join(', ')}`}
                </p>
              )}
              {can('assets:delete') && (
                <Button
                  size="xs"
                  variant={isBest ? 'filled' : 'default'}
                  aria-label={`${t('keep')}: ${title}`}
                  data-keeps={assetId}
                  loading={keep.isPending && keep.variables?.keep.assetId === assetId}
                  disabled={isBusy}
                  onClick={() => keepThis(one)}
                >
                  {t('keep')}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
    </li>
  )
}

function OneOfThem({ one, where, onShow }: { one: Duplicate; where: string; onShow(): void }) {
  const t = useTranslations('duplicates')
  const library = useLibrary()
  const locale = useLocale()
  const format = useFormatter()
  const review = useTranslations('review')
  const { asset, uses, deliveries, collections, comments } = one
  const limits = useLimitWords()(asset)
  const size = asset.width && asset.height ? `${asset.width} × ${asset.height} · ` : ''
  const counts = [
    uses > 0 && t('uses', { count: uses }),
    deliveries > 0 && t('deliveries', { count: deliveries }),
    collections > 0 && t('collections', { count: collections }),
  ].filter(Boolean)
  const written = [
    asset.altText ? t('described') : t('undescribed'),
    comments > 0 && t('comments', { count: comments }),
    ...asset.tags.map((tag) => `#${tag}`),
  ].filter(Boolean)
  return (
    <>
      <button type="button" className="duplicate-picture" onClick={onShow} title={asset.title}>
        <Picture asset={asset} library={library} sizes={200} alt={asset.title} />
      </button>
      <strong className="duplicate-title">{asset.title}</strong>
      <span className="duplicate-facts">{where}</span>
      <span className="duplicate-facts">
        {size}
        {fileSize(asset.sizeBytes, locale)}
      </span>
      <span className="duplicate-facts">
        {format.dateTime(new Date(asset.createdAt), { dateStyle: 'medium' })}
      </span>
      <span className="duplicate-facts">{written.join(' · ')}</span>
      {(asset.approval !== 'none' || limits.length > 0) && (
        <span className="duplicate-limits">
          {asset.approval !== 'none' && (
            <span className="badge" data-approval={asset.approval}>
              {review(`states.${asset.approval}`)}
            </span>
          )}
          {limits.map(({ field, text, isBad }) => (
            <span key={field} className={`badge ${isBad ? 'badge-warn' : ''}`}>
              {text}
            </span>
          ))}
        </span>
      )}
      <span className="duplicate-facts">{counts.length > 0 ? counts.join(' · ') : t('unused')}</span>
    </>
  )
}
