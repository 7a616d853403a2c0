import { ActionIcon, Tooltip } from '@mantine/core'
import { Columns2, Download, RotateCcw, Trash2 } from 'lucide-react'
import { type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import { useFormatter, useLocale, useTranslations } from 'use-intl'
import type { Asset } from '../../contract/assets.ts'
import { useLibrary } from '../library/library.tsx'
import { ConfirmRemoval } from '../ui/confirm.tsx'
import { partOf } from '../ui/part.ts'
import { fileSize } from '../words/file-size.ts'
import { contentUrl, useDeleteVersion, useVersions } from './assets.ts'
import { Section } from './section.tsx'
import { useRestoreVersion } from './use-restore-version.ts'

const CompareVersions = partOf(() => import('./compare-versions.tsx'), 'CompareVersions')

/** The files an asset has had; an old one can be fetched, compared, be the current one again, or go for good. */
export function Versions({ asset }: { asset: Asset }) {
  const t = useTranslations('details')
  const actions = useTranslations('actions')
  const states = useTranslations('review.states')
  const library = useLibrary()
  const locale = useLocale()
  const format = useFormatter()
  const versions = useVersions(asset.assetId)
  const restore = useRestoreVersion(asset)
  const remove = useDeleteVersion(asset)
  const [compared, setCompared] = useState<number | null>(null)
  const [removed, setRemoved] = useState<number | null>(null)
  const list = useRef<HTMLUListElement>(null)
  useFocusKept(list, removed !== null && !!versions && versions.length > 1)
  const mayRestore = library.can('assets:write') && !asset.trashedAt
  const mayDelete = library.can('assets:purge') && !asset.hold
  if (!versions || versions.length < 2) return null
  return (
    <Section title={t('versions')}>
      <ul className="versions" ref={list}>
        {versions.map(({ version, sizeBytes, createdAt, approval: { state } }) => {
          const name = t('version', { version })
          const acts = [
            { may: true, label: t('compare'), icon: <Columns2 size={16} />, act: setCompared },
            { may: mayRestore, label: t('restoreVersion'), icon: <RotateCcw size={16} />, act: restore },
            { may: mayDelete, label: t('deleteVersion'), icon: <Trash2 size={16} />, act: setRemoved },
          ]
          return (
            <li key={version}>
              <span>
                {name}
                {version === asset.version && <span className="badge">{t('current')}</span>}
                {state !== 'none' && (
                  <span className="badge" data-approval={state}>
                    {states(state)}
                  </span>
                )}
                <small>
                  {format.dateTime(new Date(createdAt), { dateStyle: 'medium' })} ·{' '}
                  {fileSize(sizeBytes, locale)}
                </small>
              </span>
              <span className="version-acts">
                {version !== asset.version &&
                  acts
                    .filter(({ may }) => may)
                    .map(({ label, icon, act }) => (
                      <Tooltip key={label} label={label}>
                        <ActionIcon onClick={() => void act(version)} aria-label={`${label}: ${name}`}>
                          {icon}
                        </ActionIcon>
                      </Tooltip>
                    ))}
                <ActionIcon
                  component="a"
                  href={contentUrl(library, { assetId: asset.assetId, version }, { download: true })}
                  download
                  aria-label={`${actions('download')}: ${name}`}
                >
                  <Download size={16} />
                </ActionIcon>
              </span>
            </li>
          )
        })}
      </ul>
      {compared !== null && (
        <Suspense>
          <CompareVersions asset={asset} with={compared} onClose={() => setCompared(null)} />
        </Suspense>
      )}
      {removed !== null && (
        <ConfirmRemoval
          title={t('deleteVersionTitle', { version: removed })}
          text={t('deleteVersionText')}
          button={t('deleteVersion')}
          remove={remove}
          what={removed}
          removed={t('versionDeleted', { version: removed })}
          onClose={() => setRemoved(null)}
        />
      )}
    </Section>
  )
}

/** Where the button that was pressed has gone with its row, the keyboard goes on in what is left around it. */
function useFocusKept(list: RefObject<HTMLElement | null>, isAsking: boolean) {
  useEffect(() => {
    if (!isAsking) return
    const around = list.current?.closest('section')?.parentElement
    return () => {
      setTimeout(() => {
        if (document.activeElement !== document.body) return
        const left = list.current ?? around
        left?.querySelector<HTMLElement>('button, a[href], input')?.focus()
      })
    }
  }, [list, isAsking])
}
