import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { Crop, Download, Expand } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Asset } from '../../contract/assets.ts'
import { useLibrary } from '../library/library.tsx'
import { partOf } from '../ui/part.ts'
import { contentUrl } from './assets.ts'
import { mayBeCropped, Picture } from './picture.tsx'

const CropDialog = partOf(() => import('./crop-dialog.tsx'), 'CropDialog')

/** The picture at the head of the details, and what can be done with it. */
export function DetailsPicture({
  asset,
  mayEdit,
  onQuickLook,
}: {
  asset: Asset
  mayEdit: boolean
  onQuickLook(assetId: string): void
}) {
  const actions = useTranslations('actions')
  const library = useLibrary()
  const [cropping, setCropping] = useState(false)
  return (
    <div className="details-picture">
      <Picture asset={asset} library={library} sizes={288} alt={asset.altText} whole />
      <div className="details-picture-acts">
        {mayEdit && mayBeCropped(asset) && (
          <Button
            variant="default"
            size="xs"
            h={32}
            leftSection={<Crop size={16} />}
            onClick={() => setCropping(true)}
          >
            {actions('crop')}
          </Button>
        )}
        <Tooltip label={actions('quickLook')}>
          <ActionIcon
            variant="default"
            onClick={() => onQuickLook(asset.assetId)}
            aria-label={actions('quickLook')}
          >
            <Expand size={16} />
          </ActionIcon>
        </Tooltip>
        <Tooltip label={actions('download')}>
          <ActionIcon
            variant="default"
            component="a"
            href={contentUrl(library, asset, { download: true })}
            download
            aria-label={actions('download')}
          >
            <Download size={16} />
          </ActionIcon>
        </Tooltip>
      </div>
      {cropping && (
        <Suspense>
          <CropDialog asset={asset} onClose={() => setCropping(false)} />
        </Suspense>
      )}
    </div>
  )
}
