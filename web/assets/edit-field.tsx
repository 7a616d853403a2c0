import { Pencil } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Asset } from '../../contract/assets.ts'
import { useLibrary } from '../library/library.tsx'
import { useSelection } from '../library/selection.ts'
import { InlineEdit } from '../ui/inline-edit.tsx'
import { type Edit, useBeginEdit, useSaveEdit } from './assets.ts'

type TextField = 'title' | 'description' | 'altText'

const longest: Record<TextField, number> = { title: 200, description: 5000, altText: 2000 }

/** One field of an asset, being edited. */
export function EditField({ asset, field, onEnd }: { asset: Asset; field: TextField; onEnd(): void }) {
  const t = useTranslations('fields')
  const begin = useBeginEdit()
  const save = useSaveEdit()
  const selection = useSelection()
  const edit = useRef<Edit>(undefined)
  edit.current ??= begin(asset)

  function end(value: string, isSeen: boolean) {
    const saved = save(edit.current!, field, value)
    return field === 'title' && isSeen ? selection.follow(asset.assetId, saved) : saved
  }
  return (
    <InlineEdit
      of={`${asset.assetId} ${field}`}
      value={edit.current.seen[field]}
      label={t(field)}
      maxLength={longest[field]}
      multiline={field !== 'title'}
      onSave={end}
      onEnd={onEnd}
    />
  )
}

/** One field of an asset: text, and a click makes it editable where the person may edit. */
export function EditableField({
  asset,
  field,
  blank,
  className = '',
}: {
  asset: Asset
  field: TextField
  blank: string
  className?: string
}) {
  const t = useTranslations('details')
  const fields = useTranslations('fields')
  const { can } = useLibrary()
  const [editing, setEditing] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const text = asset[field]

  if (!can('assets:write') || asset.trashedAt)
    return <p className={`editable-still ${className}`}>{text || '–'}</p>
  if (editing)
    return (
      <div className={className}>
        <EditField
          asset={asset}
          field={field}
          onEnd={() => {
            setEditing(false)
            requestAnimationFrame(() => {
              if (document.activeElement === document.body) button.current?.focus()
            })
          }}
        />
      </div>
    )
  return (
    <button
      ref={button}
      type="button"
      className={`editable ${text ? '' : 'editable-blank'} ${className}`}
      onClick={() => setEditing(true)}
    >
      <span>
        <span className="unseen">{t('edit', { field: fields(field) })}: </span>
        {text || blank}
      </span>
      <Pencil size={14} aria-hidden />
    </button>
  )
}
