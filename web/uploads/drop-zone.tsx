import { UploadCloud } from 'lucide-react'
import { type DragEvent, type ReactNode, useEffect, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { useLibrary } from '../library/library.tsx'
import { toast } from '../ui/toast.tsx'
import { useDropOnFolder } from './drop-on-folder.ts'
import { carriesFiles, type Dropped, dropped } from './dropped.ts'
import type { Into } from './engine.ts'
import { useUploading } from './uploading.tsx'
import './uploads.css'

/** Takes files and folders from outside the page, by drop and by paste. */
export function DropZone({
  into,
  disabled,
  children,
}: {
  into: Into
  disabled: boolean
  children: ReactNode
}) {
  const t = useTranslations('uploads')
  const { can } = useLibrary()
  const { engine } = useUploading()
  const [over, setOver] = useState(false)
  const open = !disabled && can('assets:write')
  useGuardedPage()
  usePaste(open, (files) =>
    engine.add({ files: files.map((file) => ({ file, path: [] })), folders: [] }, into),
  )

  const take = (found: Dropped | null, to: Into) => {
    setOver(false)
    if (found) engine.add(found, to)
    else toast({ text: t('failures.unreadable-file'), bad: true })
  }
  const aimed = useDropOnFolder(can('assets:write'), (found, folderId) => take(found, { folderId }))

  const hover = (event: DragEvent) => {
    if (!open || !carriesFiles(event.dataTransfer)) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'copy'
    setOver(true)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a drop is one way of many; the button and the keys are others
    <div
      className="drop-zone"
      onDragEnter={hover}
      onDragOver={hover}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={async (event) => {
        setOver(false)
        if (!open || !carriesFiles(event.dataTransfer)) return
        event.preventDefault()
        take(await dropped(event.dataTransfer).catch(() => null), into)
      }}
    >
      {children}
      {over && !aimed && (
        <div className="drop-here">
          <UploadCloud size={36} aria-hidden />
          <strong>{t('drop')}</strong>
          <span>{t(into.collectionId ? 'collectionHint' : 'dropText')}</span>
        </div>
      )}
    </div>
  )
}

/** A file dropped beside the zone would otherwise replace the whole page, and every upload with it. */
function useGuardedPage() {
  useEffect(() => {
    const guard = (event: globalThis.DragEvent) => {
      if (event.defaultPrevented || !event.dataTransfer || !carriesFiles(event.dataTransfer)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'none'
    }
    addEventListener('dragover', guard)
    addEventListener('drop', guard)
    return () => {
      removeEventListener('dragover', guard)
      removeEventListener('drop', guard)
    }
  }, [])
}

function usePaste(open: boolean, take: (files: File[]) => void) {
  const t = useTranslations('uploads')
  const format = useFormatter()
  useEffect(() => {
    if (!open) return
    const named = (file: File) => {
      if (file.name !== 'image.png') return file // only a picture without a file behind it is called so
      const time = format
        .dateTime(new Date(), { dateStyle: 'medium', timeStyle: 'medium' })
        .replaceAll(':', '.')
      return new File([file], `${t('pasted', { time })}.png`, { type: file.type })
    }
    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])]
      if (files.length === 0 || isTyping(event.target)) return
      event.preventDefault()
      take(files.map(named))
    }
    addEventListener('paste', paste)
    return () => removeEventListener('paste', paste)
  })
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
