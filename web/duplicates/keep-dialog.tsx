import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Asset } from '../../contract/assets.ts'
import { Picture } from '../assets/picture.tsx'
import { useLibrary } from '../library/library.tsx'
import { dialogTitle } from '../ui/dialog-title.ts'
import { MixedBox } from '../ui/mixed-box.tsx'
import { Modal } from '../ui/modal.tsx'
import type { Keeping } from './duplicates.ts'
import '../ui/confirm.css'

/** Asks before others go for one that is kept, and which of them. Once none is left, it says so. */
export function KeepDialog({
  keeping: { keep },
  others,
  onlyLooks,
  where,
  onKeep,
  onClose,
}: {
  keeping: Keeping
  /** Those of them that are still there. */
  others: Asset[]
  /** They are not the same file. */
  onlyLooks: boolean
  where(folderId: string | null): string
  onKeep(others: Asset[]): void
  onClose(): void
}) {
  const t = useTranslations('duplicates')
  const app = useTranslations('app')
  const library = useLibrary()
  const [ticked, setGoing] = useState(others)
  const going = ticked.filter((each) => others.includes(each))
  const count = going.length
  const isDecided = others.length === 0
  const close = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isDecided) close.current?.focus()
  }, [isDecided])
  const turn = (other: Asset) => setGoing(others.filter((each) => (each === other) !== going.includes(each)))
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('keepTitle', { title: keep.title })}
      size={560}
      styles={dialogTitle}
    >
      <p className="confirm-text" role="status">
        {isDecided ? (
          t('decided')
        ) : (
          <>
            {onlyLooks && t('onlyLooks')} {t('keepText', { count })}
          </>
        )}
      </p>
      <fieldset className="going" aria-label={t('going')} hidden={isDecided}>
        {others.length > 1 && (
          <MixedBox
            value={count === others.length || (count > 0 && 'mixed')}
            initial={false}
            onChange={(all) => setGoing(all ? others : [])}
          >
            <strong>{t('all', { count: others.length })}</strong>
          </MixedBox>
        )}
        {others.map((other) => (
          <label key={other.assetId}>
            <input type="checkbox" checked={going.includes(other)} onChange={() => turn(other)} />
            <span className="going-picture">
              <Picture asset={other} library={library} sizes={48} />
            </span>
            <span className="going-words">
              {other.title}
              <small>{where(other.folderId)}</small>
            </span>
          </label>
        ))}
      </fieldset>
      <div className="dialog-acts">
        <Button ref={close} variant="default" onClick={onClose} data-autofocus>
          {app(isDecided ? 'close' : 'cancel')}
        </Button>
        {!isDecided && (
          <Button className="confirm-button" disabled={count === 0} onClick={() => onKeep(going)}>
            {t('keepAct', { count })}
          </Button>
        )}
      </div>
    </Modal>
  )
}
