import { Button, Menu } from '@mantine/core'
import { ChevronDown, FileImage, FolderUp, Upload } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useLibrary } from '../library/library.tsx'
import type { Into } from './engine.ts'
import { useUploading } from './uploading.tsx'
import './uploads.css'

export function UploadButton({ into }: { into: Into }) {
  const t = useTranslations('uploads')
  const { can } = useLibrary()
  const { isPhone, choose, from } = useUploading()
  if (!can('assets:write')) return null
  if (isPhone)
    return (
      <Button className="upload-button" px={10} aria-label={t('upload')} onClick={() => choose(into)}>
        <Upload size={18} />
      </Button>
    )
  return (
    <Menu width={260} position="bottom-end">
      <Menu.Target>
        <Button
          className="upload-button"
          leftSection={<Upload size={16} />}
          rightSection={<ChevronDown size={14} />}
        >
          {t('upload')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<FileImage size={16} />} onClick={() => from('files', into)}>
          {t('files')}
        </Menu.Item>
        <Menu.Item leftSection={<FolderUp size={16} />} onClick={() => from('folder', into)}>
          {t('folder')}
        </Menu.Item>
        <p className="upload-hint">{t(into.collectionId ? 'collectionHint' : 'dropHint')}</p>
      </Menu.Dropdown>
    </Menu>
  )
}
