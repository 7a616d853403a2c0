import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { GalleryVerticalEnd, Plus, Search } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { nameKey } from '../../contract/folding.ts'
import { Modal } from '../ui/modal.tsx'
import { useProblemText } from '../words/problem-text.ts'
import { useCollecting, useCollections } from './collections.ts'
import '../ui/dialogs.css'

const made = 'new'

/** Puts assets into a collection that is there, or into a new one by the name that was typed. */
export function CollectDialog({ assetIds, onClose }: { assetIds: string[]; onClose(): void }) {
  const t = useTranslations('collections')
  const app = useTranslations('app')
  const problemText = useProblemText()
  const { data: all = [] } = useCollections()
  const { collect, create } = useCollecting()
  const [words, setWords] = useState('')
  const [chosen, setChosen] = useState<string | null>(null)
  const wanted = nameKey(words.trim())
  const found = all.filter(({ name }) => nameKey(name).includes(wanted))
  const isNew = wanted !== '' && !all.some(({ name }) => nameKey(name) === wanted)
  const options = [...found.map(({ collectionId }) => collectionId), ...(isNew ? [made] : [])]
  const current = chosen !== null && options.includes(chosen) ? chosen : wanted ? options[0]! : null
  const add = useMutation({
    mutationFn: async (option: string) => {
      const collection = all.find(({ collectionId }) => collectionId === option)
      await collect(collection ?? (await create(words.trim())), assetIds)
    },
    onSuccess: onClose,
  })

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      const at = current === null ? -1 : options.indexOf(current)
      const next = options[Math.max(0, Math.min(at + step, options.length - 1))]
      if (next === undefined) return
      setChosen(next)
      document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' })
    }
    if (event.key === 'Enter' && current !== null) add.mutate(current)
  }

  const option = (id: string, name: string, count?: number) => (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the search field takes the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the search field holds the focus
    <div
      key={id}
      id={optionId(id)}
      role="option"
      aria-selected={id === current}
      className="place"
      onClick={() => setChosen(id)}
      onDoubleClick={() => add.mutate(id)}
    >
      {id === made ? <Plus size={16} aria-hidden /> : <GalleryVerticalEnd size={16} aria-hidden />}
      <span>{name}</span>
      {count !== undefined && <small>{t('count', { count })}</small>}
    </div>
  )

  return (
    <Modal opened onClose={onClose} title={t('addTitle', { count: assetIds.length })} size={480}>
      <TextInput
        data-autofocus
        leftSection={<Search size={16} />}
        placeholder={t('search')}
        aria-label={t('search')}
        maxLength={120}
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        error={add.error && problemText(add.error)}
        role="combobox"
        aria-expanded
        aria-controls="collect-places"
        aria-activedescendant={current === null ? undefined : optionId(current)}
      />
      <div id="collect-places" className="places" role="listbox" aria-label={t('title')}>
        {found.map(({ collectionId, name, assetCount }) => option(collectionId, name, assetCount))}
        {isNew && option(made, t('newNamed', { name: words.trim() }))}
      </div>
      {options.length === 0 && <p className="places-none">{t('none')}</p>}
      <div className="dialog-acts">
        <Button variant="default" onClick={onClose}>
          {app('cancel')}
        </Button>
        <Button
          disabled={current === null}
          loading={add.isPending}
          onClick={() => current !== null && add.mutate(current)}
        >
          {t('addButton')}
        </Button>
      </div>
    </Modal>
  )
}

const optionId = (id: string) => `collect-${id}`
