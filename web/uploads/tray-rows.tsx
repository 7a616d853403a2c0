import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import type { Upload } from './upload.ts'
import { type RowActions, UploadRow } from './upload-row.tsx'

const rowHeight = 60

export function Rows({
  uploads,
  actions,
  list,
}: {
  uploads: readonly Upload[]
  actions: RowActions
  list: React.RefObject<HTMLDivElement | null>
}) {
  const t = useTranslations('uploads')
  const rows = useVirtualizer({
    count: uploads.length,
    getScrollElement: () => list.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => uploads[index]!.id,
    overscan: 4,
  })
  const known = useRef(0)
  useEffect(() => {
    const first = known.current
    known.current = uploads.length
    if (first > 0 && uploads.length > first) rows.scrollToIndex(first, { align: 'start' }) // what was just added
  }, [uploads.length, rows])
  return (
    <div className="upload-list" ref={list} tabIndex={-1}>
      <ul aria-label={t('tray')} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ key, index, start }) => (
          <li
            key={key}
            aria-setsize={uploads.length}
            aria-posinset={index + 1}
            className="upload-place"
            data-index={index}
            ref={rows.measureElement}
            style={{ transform: `translateY(${start}px)` }}
          >
            <UploadRow upload={uploads[index]!} actions={actions} />
          </li>
        ))}
      </ul>
    </div>
  )
}
