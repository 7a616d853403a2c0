import { Alert, Button, Group, NativeSelect } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Asset, Fit } from '../../contract/assets.ts'
import { connectionKinds, postRules } from '../../contract/connection-kinds.ts'
import type { Connection } from '../../contract/deliveries.ts'
import type { Surface } from '../../contract/words.ts'
import { useAsset, useFits } from '../assets/assets.ts'
import { useDisclosureWords } from '../assets/disclosure.tsx'
import { useFitWords } from '../assets/fit-words.ts'
import { Modal } from '../ui/modal.tsx'
import { State } from '../ui/state.tsx'
import { toast } from '../ui/toast.tsx'
import { useProblemText } from '../words/problem-text.ts'
import { isDead, MendLink, useWhyDead } from './dead-connections.tsx'
import { isUnderWay, useConnections, useDeliver } from './deliveries.ts'
import { FilmPart, firstPart, partLimits, partOf, type WrittenPart } from './film-part.tsx'
import { surfacesOf } from './kinds.ts'
import { isGoodText, PostText } from './post-text.tsx'
import '../ui/dialogs.css'
import './deliveries.css'

/** The same for an asset known by its id. */
export function DeliverOneDialog({ assetId, onClose }: { assetId: string; onClose(): void }) {
  const { asset } = useAsset(assetId)
  const { data: connections } = useConnections()
  return asset && connections && <DeliverDialog asset={asset} connections={connections} onClose={onClose} />
}

/** Which of the client's systems the asset goes to; those that do not take it say why. */
export function DeliverDialog({
  asset,
  connections,
  onClose,
}: {
  asset: Asset
  connections: Connection[]
  onClose(): void
}) {
  const t = useTranslations('deliveries')
  const words = useTranslations('app')
  const surfaceWords = useTranslations('surfaces')
  const problemText = useProblemText()
  const fits = useFits(asset.assetId)
  const deliver = useDeliver()
  const allowed = (surface: Surface) =>
    asset.allowedSurfaces.length === 0 || asset.allowedSurfaces.includes(surface)
  const surfacesFor = ({ kind }: Connection) => surfacesOf(kind).filter(allowed)
  const fitOf = ({ kind }: Connection) => fits?.find(({ target }) => target === connectionKinds[kind].rules)
  const isOpen = (connection: Connection) =>
    !isDead(connection) &&
    surfacesFor(connection).length > 0 &&
    (fitOf(connection)?.verdict !== 'refused' || partLimits(fitOf(connection)) !== undefined)

  const [chosenId, setChosenId] = useState(() => connections.find(isOpen)?.connectionId)
  const [wanted, setWanted] = useState<Surface>()
  const [text, setText] = useState('')
  const [part, setPart] = useState<WrittenPart>()
  const chosen = connections.find(({ connectionId }) => connectionId === chosenId)
  const choices = chosen ? surfacesFor(chosen) : []
  const surface = choices.find((one) => one === wanted) ?? choices[0]
  const post = chosen && postRules(chosen.kind)
  const limits = chosen && partLimits(fitOf(chosen))
  const written = limits && (part ?? firstPart(limits))
  const range = written && partOf(limits, written)
  const fit = chosen && fitOf(chosen)
  // A system of one's own has no rules: what holds wherever the asset is shown on that surface holds there, too.
  const anyOther = fits?.find(
    (one) => one.surface === surface && one.verdict !== 'refused' && !one.disclosureField,
  )
  const disclosed = useDisclosureWords()(fit ?? (chosen && anyOther))
  const isReady = surface && (!limits || range) && (!post || isGoodText(post, text))

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!chosen || !isReady) return
    const { connectionId, name } = chosen
    deliver.mutate(
      { assetRef: asset.assetId, connectionId, surface, ...(post && { text }), ...(range && { range }) },
      {
        onSuccess: (delivery) => {
          toast({ text: isUnderWay(delivery) ? t('started', { name }) : t('already', { name }) })
          onClose()
        },
      },
    )
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={t('deliverTitle', { title: asset.title })}
      size={480}
      holdsWords={text !== ''}
    >
      <form onSubmit={submit}>
        {deliver.error && (
          <Alert color="red" variant="light" role="alert" mb={12}>
            {problemText(deliver.error)}
          </Alert>
        )}
        {connections.length === 0 && <p className="dialog-text">{t('noConnections')}</p>}
        <fieldset className="deliver-to" hidden={connections.length === 0}>
          <legend>{t('where')}</legend>
          {connections.map((connection) => (
            <Choice
              key={connection.connectionId}
              connection={connection}
              fit={fitOf(connection)}
              why={
                surfacesFor(connection).length === 0
                  ? t('surfaceNotAllowed', {
                      surface: surfacesOf(connection.kind)
                        .map((one) => surfaceWords(one))
                        .join(', '),
                    })
                  : undefined
              }
              isOpen={isOpen(connection)}
              isChosen={connection.connectionId === chosenId}
              onChoose={() => {
                setChosenId(connection.connectionId)
                setPart(undefined)
              }}
            />
          ))}
        </fieldset>
        {choices.length > 1 && (
          <NativeSelect
            mt={14}
            label={t('surface')}
            data={choices.map((value) => ({ value, label: surfaceWords(value) }))}
            value={surface}
            onChange={(event) => setWanted(event.currentTarget.value as Surface)}
          />
        )}
        {written && <FilmPart limits={limits} value={written} onChange={setPart} />}
        {post && <PostText rules={post} value={text} onChange={setText} />}
        {disclosed && <p className="dialog-text">{disclosed}</p>}
        <Group justify="flex-end" gap={8} mt={20}>
          <Button variant="default" onClick={onClose}>
            {words('cancel')}
          </Button>
          <Button type="submit" disabled={!isReady} loading={deliver.isPending}>
            {post ? t('publish') : t('start')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

function Choice({
  connection,
  fit,
  why,
  isOpen,
  isChosen,
  onChoose,
}: {
  connection: Connection
  fit: Fit | undefined
  why: string | undefined
  isOpen: boolean
  isChosen: boolean
  onChoose(): void
}) {
  const t = useTranslations('connections')
  const details = useTranslations('details')
  const inWords = useFitWords()
  const verdict = fit && partLimits(fit) ? 'convert' : fit?.verdict
  const whyDead = useWhyDead()
  const dead = whyDead(connection)
  const reason = why ?? (fit && fit.verdict !== 'as-is' ? inWords(fit) : undefined)
  return (
    <label className="deliver-choice" data-chosen={isChosen} data-closed={!isOpen}>
      <input type="radio" name="connection" checked={isChosen} disabled={!isOpen} onChange={onChoose} />
      <span className="deliver-words">
        <strong>{connection.name}</strong>
        <small>{t(`kinds.${connection.kind}`)}</small>
        {dead ? (
          <small className="deliver-dead">
            {dead} <MendLink connection={connection} />
          </small>
        ) : (
          reason && <small>{reason}</small>
        )}
      </span>
      {dead && <State tone="bad">{t(`states.${connection.status}`)}</State>}
      {verdict && !dead && <span className={`fit fit-${verdict}`}>{details(`fit.${verdict}`)}</span>}
    </label>
  )
}
