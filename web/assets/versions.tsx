import { ActionIcon, Tooltip } from '@mantine/core'
import { Download, RotateCcw } from 'lucide-react'
import { useFormatter, useLocale, useTranslations } from 'use-intl'
import type { Asset } from '../../contract/assets.ts'
import { useLibrary } from '../library/library.tsx'
import { fileSize } from '../words/file-size.ts'
import { contentUrl, useVersions } from './assets.ts'
import { Section } from './section.tsx'
import { useRestoreVersion } from './use-restore-version.ts'

/** The files an asset has had; an old one can be fetched, or be the current one again. */
export function Versions({ asset }: { asset: Asset }) {
  const t = useTranslations('details')
  const actions = useTranslations('actions')
  const library = useLibrary()
  const locale = useLocale()
  const format = useFormatter()
  const versions = useVersions(asset.assetId)
  const restore = useRestoreVersion(asset)
  const mayRestore = library.can('assets:write') && !asset.trashedAt
  if (!versions || versions.length < 2) return null
  return (
    <Section title={t('versions')}>
      <ul className="versions">
        {versions.map(({ version, sizeBytes, createdAt }) => (
          <li key={version}>
            <span>
              {t('version', { version })}
              {version === asset.version && <span className="badge">{t('current')}</span>}
              <small>
                {format.dateTime(new Date(createdAt), { dateStyle: 'medium' })} ·{' '}
                {fileSize(sizeBytes, locale)}
              </small>
            </span>
            <span className="version-acts">
              {mayRestore && version !== asset.version && (
                <Tooltip label={t('restoreVersion')}>
                  <ActionIcon
                    onClick={() => void restore(version)}
                    aria-label={`${t('restoreVersion')}: ${t('version', { version })}`}
                  >
                    <RotateCcw size={16} />
                  </ActionIcon>
                </Tooltip>
              )}
              <ActionIcon
                component="a"
                href={contentUrl(library, { assetId: asset.assetId, version }, { download: true })}
                aria-label={`${actions('download')}: ${t('version', { version })}`}
              >
                <Download size={16} />
              </ActionIcon>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
