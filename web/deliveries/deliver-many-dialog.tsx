import { Alert, Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { postRules } from '../../contract/connection-kinds.ts'
import type { Surface } from '../../contract/words.ts'
import { Problem } from '../api.ts'
import { withProgress } from '../library/progress.ts'
import { Modal } from '../ui/modal.tsx'
import { toast } from '../ui/toast.tsx'
import { useProblemText } from '../words/problem-text.ts'
import { useConnections, useDeliver } from './deliveries.ts'
import { surfacesOf } from './kinds.ts'
import { isGoodText, PostText } from './post-text.tsx'
import '../ui/dialogs.css'
import './deliveries.css'

/** Sends many assets to one of the client's systems; those it does not take are said, the others go. */
export function DeliverManyDialog({ assetIds, onClose }: { assetIds: string[]; onClose(): void }) {
  const t = useTranslations('deliveries')
  const app = useTranslations('app')
  const surfaceWords = useTranslations('surfaces')
  const progress = useTranslations('progress')
  const problemText = useProblemText()
  const { data, error } = useConnections()
  const connections = data ?? []
  const { mutateAsync: deliver, ...asked } = useDeliver()
  const [chosenId, setChosenId] = useState<string>()
  const [wanted, setWanted] = useState<Surface>()
  const [text, setText] = useState('')
  const chosen = connections.find(({ connectionId }) => connectionId === chosenId) ?? connections[0]
  const choices: readonly Surface[] = chosen ? surfacesOf(chosen.kind) : []
  const surface = choices.find((one) => one === wanted) ?? choices[0]
  const post = chosen && postRules(chosen.kind)

  /** All of them are one post; it is refused whole, and the words that were written for it stay. */
  async function publish() {
    if (!chosen || !surface) return
    const [assetRef, ...moreAssetRefs] = assetIds as [string, ...string[]]
    const { connectionId, name } = chosen
    try {
      await deliver({ assetRef, moreAssetRefs, connectionId, surface, text })
      toast({ text: t('started', { name }) })
      onClose()
    } catch {
      // Said above the form.
    }
  }

  async function start() {
    if (!chosen || !surface) return
    onClose()
    const { connectionId, name } = chosen
    const refusals: unknown[] = []
    let count = 0
    await withProgress(progress('deliver'), assetIds.length, async (step, signal) => {
      for (const [at, assetRef] of assetIds.entries()) {
        if (signal.aborted) return
        try {
          await deliver({ assetRef, connectionId, surface })
          count++
        } catch (error) {
          refusals.push(error)
          if (!(error instanceof Problem) || error.status === 0) return // the dialog was closed
        }
        step(at + 1)
      }
    })
    if (count) toast({ text: t('startedMany', { count, name }) })
    if (refusals.length)
      toast({
        text: `${t('refusedMany', { count: refusals.length })} ${problemText(refusals[0])}`,
        bad: true,
      })
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={t('deliverMany', { count: assetIds.length })}
      size={440}
      holdsWords={text !== ''}
    >
      {error && <p className="dialog-text">{problemText(error)}</p>}
      {post && asked.error && (
        <Alert color="red" variant="light" role="alert" mb={12}>
          {problemText(asked.error)}
        </Alert>
      )}
      {data?.length === 0 && <p className="dialog-text">{t('noConnections')}</p>}
      {connections.length > 0 && (
        <>
          <NativeSelect
            data-autofocus
            label={t('where')}
            data={connections.map(({ connectionId, name }) => ({ value: connectionId, label: name }))}
            value={chosen?.connectionId}
            onChange={(event) => setChosenId(event.currentTarget.value)}
          />
          {choices.length > 1 && (
            <NativeSelect
              mt={14}
              label={t('surface')}
              data={choices.map((value) => ({ value, label: surfaceWords(value) }))}
              value={surface}
              onChange={(event) => setWanted(event.currentTarget.value as Surface)}
            />
          )}
          {post && <p className="dialog-text">{t('asOnePost', { count: assetIds.length })}</p>}
          {post && <PostText rules={post} value={text} onChange={setText} />}
        </>
      )}
      <div className="dialog-acts">
        <Button variant="default" onClick={onClose}>
          {app('cancel')}
        </Button>
        {connections.length > 0 && !post && <Button onClick={start}>{t('start')}</Button>}
        {post && (
          <Button onClick={publish} disabled={!isGoodText(post, text)} loading={asked.isPending}>
            {t('publish')}
          </Button>
        )}
      </div>
    </Modal>
  )
}
