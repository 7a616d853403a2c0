import { Alert, Button, TagsInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { chosenCount } from '../library/selection.ts'
import { type Mixed, MixedBox } from '../ui/mixed-box.tsx'
import { Modal } from '../ui/modal.tsx'
import { useSummary } from './batch.ts'
import type { TagChange } from './use-actions.ts'
import '../ui/dialogs.css'

/** What somebody has chosen and typed. */
interface Draft {
  typed: string[]
  touched: Record<string, Mixed>
}

export type RefusedTags = Draft & { why: string }

/** The tags of many assets: those some or all of them have, and new ones. Only what was touched changes. */
export function TagDialog({
  assetIds,
  refused,
  onTag,
  onClose,
}: {
  assetIds: string[]
  /** What was asked for before, and why it was not done. */
  refused?: RefusedTags | undefined
  onTag(change: TagChange, draft: Draft): void
  onClose(): void
}) {
  const t = useTranslations('batch')
  const app = useTranslations('app')
  const summary = useSummary(assetIds)
  const [typed, setTyped] = useState<string[]>(refused?.typed ?? [])
  /** What is being written counts: nobody has to press Enter first. */
  const [writing, setWriting] = useState('')
  const [touched, setTouched] = useState<Record<string, Mixed>>(refused?.touched ?? {})
  const own = (summary.data?.tags ?? []).map(({ tag, assets }) => {
    const initial: Mixed = assets < summary.data!.assets ? 'mixed' : true
    return { tag, assets, initial, value: touched[tag] ?? initial }
  })
  const changed = own.filter(({ value, initial }) => value !== initial)
  const written = writing.trim()
  const wanted = [...new Set([...typed, ...(written ? [written] : [])])]
  const add = [...wanted, ...changed.filter(({ value }) => value === true).map(({ tag }) => tag)]
  const remove = changed.filter(({ value }) => value === false).map(({ tag }) => tag)
  const isReady = add.length + remove.length > 0
  const send = () => onTag({ add, remove }, { typed: wanted, touched })
  return (
    <Modal opened onClose={onClose} title={t('tagTitle', { count: chosenCount(assetIds) })} size={440}>
      {refused && (
        <Alert color="red" variant="light" role="alert" mb={12}>
          {refused.why}
        </Alert>
      )}
      <TagsInput
        data-autofocus
        label={t('tagLabel')}
        description={t('tagHint')}
        value={typed}
        onChange={setTyped}
        searchValue={writing}
        onSearchChange={setWriting}
        maxTags={50}
        splitChars={[',', ';']}
        acceptValueOnBlur={false} // a pill more moves what is just being pressed
        dropdownOpened={false} // nothing is suggested; Esc closes the dialog at once
        comboboxProps={{ withinPortal: false }}
        // The first Enter ends a word, the second is for all of them.
        onKeyDown={({ key }) => key === 'Enter' && !written && isReady && send()}
      />
      {own.length > 0 && (
        <fieldset className="own-tags">
          <legend>{t('ownTags')}</legend>
          {own.map(({ tag, assets, initial, value }) => (
            <MixedBox
              key={tag}
              value={value}
              initial={initial}
              onChange={(next) => setTouched((before) => ({ ...before, [tag]: next }))}
            >
              <span>{tag}</span>
              {initial === 'mixed' && <small>{t('onSome', { count: assets })}</small>}
            </MixedBox>
          ))}
        </fieldset>
      )}
      <div className="dialog-acts">
        <Button variant="default" onClick={onClose}>
          {app('cancel')}
        </Button>
        <Button disabled={!isReady} onClick={send}>
          {remove.length ? t('changeTags') : t('addTags')}
        </Button>
      </div>
    </Modal>
  )
}
