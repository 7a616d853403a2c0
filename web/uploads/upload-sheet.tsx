import { Camera, FileImage, Images } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Drawer } from '../ui/drawer.tsx'
import type { Source } from './pick-files.ts'

/** Where a phone takes files from. */
export function UploadSheet({ onClose, onChoose }: { onClose(): void; onChoose(source: Source): void }) {
  const t = useTranslations('uploads')
  const words = useTranslations('app')
  return (
    <Drawer
      opened
      onClose={onClose}
      position="bottom"
      size={210}
      title={t('sheetTitle')}
      closeButtonProps={{ 'aria-label': words('close') }}
      styles={{ content: { borderRadius: '16px 16px 0 0' }, title: { fontWeight: 620 } }}
    >
      <div className="upload-sources">
        <button type="button" onClick={() => onChoose('photos')}>
          <Images size={26} aria-hidden />
          {t('photos')}
        </button>
        <button type="button" onClick={() => onChoose('camera')}>
          <Camera size={26} aria-hidden />
          {t('camera')}
        </button>
        <button type="button" onClick={() => onChoose('files')}>
          <FileImage size={26} aria-hidden />
          {t('filesOnPhone')}
        </button>
      </div>
    </Drawer>
  )
}
