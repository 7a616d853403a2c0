import { Copy, TriangleAlert } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { useTrashContents } from '../folders/trash.ts'
import { useLibrary } from '../library/library.tsx'
import { copy } from '../ui/copy.ts'
import { partOf } from '../ui/part.ts'
import { toast } from '../ui/toast.tsx'
import { fileSize } from '../words/file-size.ts'
import type { Trouble } from './upload.ts'

const EmptyTrashDialog = partOf(() => import('../folders/purge-dialog.tsx'), 'EmptyTrashDialog')

/** What stops every upload; operators also read what to put right. */
export function TroubleNote({ trouble, onRetry }: { trouble: Trouble; onRetry(): void }) {
  const t = useTranslations('uploads')
  const words = useTranslations('app')
  const { frame } = useLibrary()
  const { code, values } = trouble
  const forOperator = frame === 'admin'
  const rule = JSON.stringify({
    AllowedOrigins: [location.origin],
    AllowedMethods: ['PUT'],
    AllowedHeaders: ['*'],
  })
  async function copyRule() {
    if (await copy(rule)) toast({ text: words('copied') })
  }
  return (
    <div className="upload-trouble">
      <TriangleAlert size={18} aria-hidden />
      <div>
        <strong>{t(`trouble.${code}.title`)}</strong>
        <p>
          {forOperator
            ? t(`trouble.${code}.operator`, {
                origin: location.origin,
                settings: values?.settings || 'none',
                store: values?.store || '',
              })
            : t(`trouble.${code}.text`)}
        </p>
        {forOperator && code === 'storage-unreachable' && (
          <div className="upload-rule">
            <code>{rule}</code>
            <button
              type="button"
              className="upload-act"
              aria-label={t('copyRule')}
              title={t('copyRule')}
              onClick={copyRule}
            >
              <Copy size={15} />
            </button>
          </div>
        )}
        {code === 'quota-exceeded' && <FreeTrash onDone={onRetry} />}
        <button type="button" className="upload-link" onClick={onRetry}>
          {t('tryAgain')}
        </button>
      </div>
    </div>
  )
}

/** What lies in the trash counts, too: it can make room at once. */
function FreeTrash({ onDone }: { onDone(): void }) {
  const t = useTranslations('uploads')
  const locale = useLocale()
  const may = useLibrary().can('assets:purge')
  const trash = useTrashContents(undefined, may)
  const [isAsked, setAsked] = useState(false)
  if (!trash?.bytes) return null
  return (
    <>
      <button type="button" className="upload-link" onClick={() => setAsked(true)}>
        {t('freeTrash', { size: fileSize(trash.bytes, locale) })}
      </button>{' '}
      {isAsked && (
        <Suspense>
          <EmptyTrashDialog onDone={onDone} onClose={() => setAsked(false)} />
        </Suspense>
      )}
    </>
  )
}
