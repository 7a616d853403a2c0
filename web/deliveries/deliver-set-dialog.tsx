import { Alert, Button, NativeSelect } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Connection } from '../../contract/deliveries.ts'
import { type Ratio, ratios } from '../../contract/ratios.ts'
import type { Plan } from '../../contract/references.ts'
import type { Surface } from '../../contract/words.ts'
import { useFitWords, useTargetName } from '../assets/fit-words.ts'
import { useActions } from '../assets/use-actions.ts'
import { useLibrary } from '../library/library.tsx'
import { Modal } from '../ui/modal.tsx'
import { toast } from '../ui/toast.tsx'
import { useProblemText } from '../words/problem-text.ts'
import { useRatioText } from '../words/ratio.ts'
import { isDead, MendLink, useWhyDead } from './dead-connections.tsx'
import { useConnections, useDeliver } from './deliveries.ts'
import { isGoodText, PostText } from './post-text.tsx'
import { choiceAmong, planned, type SetChoice } from './set-choice.ts'
import { SetPictures } from './set-pictures.tsx'
import { mostPlanned, useSetPlan } from './set-plan.ts'
import { useDeliverEach } from './use-deliver-each.ts'
import '../ui/dialogs.css'
import './deliveries.css'

/**
 * Several assets for one system: as they will be sent, which of them does not fit and why. Where the system publishes
 * posts they go as one, in their order; elsewhere each goes by itself. Without a connection they are only planned.
 */
export function DeliverSetDialog({
  assetIds,
  asCarousel,
  onClose,
}: {
  assetIds: string[]
  /** One post is meant. */
  asCarousel: boolean
  onClose(): void
}) {
  const { can } = useLibrary()
  const mayDeliver = can('deliveries:write')
  const { data, error } = useConnections(mayDeliver)
  const connections = mayDeliver ? data : []
  if (!connections && !error) return null
  return (
    <SetDialog
      assetIds={assetIds}
      asCarousel={asCarousel}
      connections={connections ?? []}
      connectionsError={error}
      onClose={onClose}
    />
  )
}

function SetDialog({
  assetIds,
  asCarousel,
  connections,
  connectionsError,
  onClose,
}: {
  assetIds: string[]
  asCarousel: boolean
  connections: Connection[]
  connectionsError: unknown
  onClose(): void
}) {
  const t = useTranslations('plan')
  const words = useTranslations('deliveries')
  const app = useTranslations('app')
  const done = useTranslations('done')
  const surfaceWords = useTranslations('surfaces')
  const problemText = useProblemText()
  const ratioText = useRatioText()
  const { copy } = useActions()
  const publish = useDeliver()
  const deliverEach = useDeliverEach()
  const [order, setOrder] = useState(assetIds)
  const [wanted, setWanted] = useState<string>()
  const [wantedSurface, setWantedSurface] = useState<Surface>()
  const [ratio, setRatio] = useState<Ratio | ''>('')
  const [text, setText] = useState('')

  const choice = choiceAmong(connections, wanted, asCarousel)
  const { connection, post } = choice
  const surface = choice.surfaces.find((one) => one === wantedSurface) ?? choice.surfaces[0]!
  const asOnePost = !connection || !!post
  const {
    data: plan,
    error,
    refetch,
  } = useSetPlan({
    assetRefs: order,
    surface,
    target: choice.rules ?? surface,
    asOnePost,
    ...(ratio && asOnePost && { ratio }),
  })
  const refused = plan?.pictures.filter(({ ok }) => !ok).map(({ assetRef }) => assetRef) ?? []
  const sendable = order.filter((assetId) => !refused.includes(assetId))

  /** It is refused whole, and the words that were written for it stay. */
  function publishAll() {
    if (!connection) return
    const [assetRef, ...moreAssetRefs] = order as [string, ...string[]]
    const { connectionId, name } = connection
    publish.mutate(
      { assetRef, moreAssetRefs, connectionId, surface, text, ...(ratio && { ratio }) },
      {
        onSuccess: () => {
          toast({ text: words('started', { name }) })
          onClose()
        },
      },
    )
  }

  function sendEach() {
    onClose()
    void deliverEach(sendable, connection!, surface)
  }

  const count = order.length
  return (
    <Modal
      opened
      onClose={onClose}
      title={connection ? words('deliverMany', { count }) : t('title', { count })}
      size={880}
      holdsWords={text !== ''}
    >
      {(connectionsError || publish.error) && (
        <Alert color="red" variant="light" role="alert" mb={12}>
          {problemText(publish.error ?? connectionsError)}
        </Alert>
      )}
      <div className="set-wishes">
        <WhereSelect connections={connections} choice={choice} onChoose={setWanted} />
        {choice.surfaces.length > 1 && (
          <NativeSelect
            label={words('surface')}
            data={choice.surfaces.map((value) => ({ value, label: surfaceWords(value) }))}
            value={surface}
            onChange={(event) => setWantedSurface(event.currentTarget.value as Surface)}
          />
        )}
        {asOnePost && (
          <NativeSelect
            label={t('ratio')}
            data={[
              { value: '', label: t('best') },
              ...ratios.map((value) => ({ value, label: ratioText(value) })),
            ]}
            value={ratio}
            onChange={(event) => setRatio(event.currentTarget.value as Ratio | '')}
          />
        )}
      </div>
      <DeadOnes connections={connections} />
      <Outcome
        plan={plan}
        choice={choice}
        count={count}
        unfit={refused.length}
        problem={error && problemText(error)}
      />
      <SetPictures
        order={order.slice(0, mostPlanned)}
        plan={plan}
        hasOrder={asOnePost && count > 1}
        onOrder={(some) => setOrder([...some, ...order.slice(mostPlanned)])}
        onCropped={() => void refetch()}
      />
      {post && <PostText rules={post} value={text} onChange={setText} />}
      <div className="dialog-acts">
        <Button
          variant="default"
          className="dialog-start"
          onClick={() => copy(order.join('\n'), done('refsCopied', { count }))}
        >
          {asOnePost ? t('copy') : t('copyRefs')}
        </Button>
        <Button variant="default" onClick={onClose}>
          {connection ? app('cancel') : app('close')}
        </Button>
        {post && (
          <Button
            onClick={publishAll}
            disabled={!plan?.ok || !isGoodText(post, text)}
            loading={publish.isPending}
          >
            {words('publish')}
          </Button>
        )}
        {connection && !post && (
          <Button onClick={sendEach} disabled={!plan || sendable.length === 0}>
            {words('start')}
          </Button>
        )}
      </div>
    </Modal>
  )
}

/** The client's systems, those that do not work switched off, and what can be planned for without one. */
function WhereSelect({
  connections,
  choice,
  onChoose,
}: {
  connections: Connection[]
  choice: SetChoice
  onChoose(id: string): void
}) {
  const t = useTranslations('plan')
  const words = useTranslations('deliveries')
  const states = useTranslations('connections.states')
  const nameOf = useTargetName()
  const targets = planned.map((target) => ({ value: target, label: nameOf({ target, name: target }) }))
  const systems = connections.map((one) => ({
    value: one.connectionId,
    label: isDead(one) ? `${one.name} (${states('error')})` : one.name,
    disabled: isDead(one),
  }))
  return (
    <NativeSelect
      data-autofocus
      label={words('where')}
      data={[
        ...(systems.length > 0 ? [{ group: t('connected'), items: systems }] : []),
        { group: t('onlyPlan'), items: targets },
      ]}
      value={choice.id}
      onChange={(event) => onChoose(event.currentTarget.value)}
    />
  )
}

/** What does not work, and the way to mend it. */
function DeadOnes({ connections }: { connections: Connection[] }) {
  const t = useTranslations('deliveries')
  const { clientId, can } = useLibrary()
  const whyDead = useWhyDead()
  const dead = connections.filter(isDead)
  return (
    <>
      {connections.length === 0 && can('deliveries:write') && (
        <p className="dialog-hint">
          {t('noConnections')}{' '}
          <Link to="/clients/$clientId/connections" params={{ clientId }} className="access-link">
            {t('toConnections')}
          </Link>
        </p>
      )}
      {dead.map((connection) => (
        <p key={connection.connectionId} className="dialog-hint">
          <strong>{connection.name}</strong>: {whyDead(connection)} <MendLink connection={connection} />
        </p>
      ))}
    </>
  )
}

/** What will come of it, in a sentence or two. */
function Outcome({
  plan,
  choice: { connection, post },
  count,
  unfit,
  problem,
}: {
  plan: Plan | undefined
  choice: SetChoice
  count: number
  unfit: number
  problem: string | null
}) {
  const t = useTranslations('plan')
  const inWords = useFitWords()
  const ratioText = useRatioText()
  const nameOf = useTargetName()
  if (problem) return <p className="set-outcome set-bad">{problem}</p>
  if (!plan) return <p className="set-outcome">{t('making')}</p>
  const { target, why, ratio, most } = plan
  const named = { target, name: target }
  const asFiles = connection && !post
  const isGood = asFiles ? unfit < count : plan.ok
  return (
    <p role="status" className={`set-outcome ${isGood ? 'set-good' : 'set-bad'}`}>
      {unfit > 0 && `${t('notAll', { count: unfit })} `}
      {asFiles && isGood && `${t('asFiles', { count: count - unfit })} `}
      {!asFiles && plan.ok && `${t('fits', { count, ratio: ratio ? ratioText(ratio) : t('own') })} `}
      {!asFiles && why.length > 0 && `${inWords({ ...named, why })} `}
      {!asFiles && why.length === 0 && most !== null && t('most', { count: most, target: nameOf(named) })}
      {count > mostPlanned && ` ${t('unseen', { count: count - mostPlanned })}`}
    </p>
  )
}
