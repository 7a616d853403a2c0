import { Button, Checkbox } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { useFolderTree } from '../folders/folders.ts'
import { Modal } from '../ui/modal.tsx'
import type { Answer, Upload } from './upload.ts'

/** A file of this name is there already: the person says what becomes of the new one. */
export function SameNameDialog({
  asking,
  forAll,
  onForAll,
  onAnswer,
}: {
  asking: readonly Upload[]
  /** Whether one answer is meant for all: as the person left it at the question before. */
  forAll: boolean
  onForAll(forAll: boolean): void
  onAnswer(id: string, answer: Answer, forAll: boolean): void
}) {
  const t = useTranslations('sameName')
  const library = useTranslations('library')
  const tree = useFolderTree()
  const upload = asking[0]!
  const others = asking.length - 1
  const folder = upload.path.at(-1) ?? tree.byId.get(upload.folderId ?? '')?.name ?? library('root')
  const answer = (what: Answer) => onAnswer(upload.id, what, others > 0 && forAll)
  return (
    <Modal
      opened
      onClose={() => onAnswer(upload.id, 'skip', false)}
      withCloseButton={false}
      size={520}
      title={t('title', { name: upload.name, folder })}
    >
      <p className="same-name-text">{t('text', { title: upload.twin?.title ?? upload.name, folder })}</p>
      {others > 0 && (
        <Checkbox
          label={t('forAll', { count: others })}
          checked={forAll}
          onChange={(event) => onForAll(event.currentTarget.checked)}
        />
      )}
      <div className="same-name-answers">
        <Button variant="default" onClick={() => answer('skip')}>
          {t('skip')}
        </Button>
        <Button variant="default" onClick={() => answer('keep')}>
          {t('keep')}
        </Button>
        <Button data-autofocus onClick={() => answer('replace')}>
          {t('replace')}
        </Button>
      </div>
    </Modal>
  )
}
