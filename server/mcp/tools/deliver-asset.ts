import { Type } from 'typebox'
import { connectionKinds } from '../../../contract/connection-kinds.ts'
import { type Delivery, NewDelivery, openStatuses } from '../../../contract/deliveries.ts'
import { Strict } from '../../../contract/words.ts'
import { connectionRow } from '../../connections/row.ts'
import { cancelDelivery, createDelivery, readDelivery, retryDelivery } from '../../deliveries/deliveries.ts'
import { libraryFor } from '../agent.ts'
import { briefDelivery } from '../brief.ts'
import { type Answer, ClientId, needed, tool } from '../tool.ts'

const { assetRef, connectionId, surface, ...optional } = NewDelivery.properties

export const deliverAsset = tool({
  name: 'deliver_asset',
  title: 'Deliver an asset',
  description:
    'deliver: has an asset (assetRef, connectionId, surface) brought to a connected system, converted to what that takes; a connection that publishes posts (instagram, facebook-page, linkedin-posts, gbp-posts) publishes it at once, with text. The same again makes no second copy but says how far it is. status, retry, cancel: of one delivery (deliveryId); retry looks first whether it arrived.',
  permission: 'deliveries:write',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  budget: 3000,
  input: Strict({
    clientId: ClientId,
    action: Type.Enum(['deliver', 'status', 'retry', 'cancel'], { default: 'deliver' }),
    deliveryId: Type.Optional(Type.String({ maxLength: 100 })),
    assetRef: Type.Optional(assetRef),
    connectionId: Type.Optional(connectionId),
    surface: Type.Optional(surface),
    ...optional,
  }),
  async purpose(agent, { clientId, connectionId, surface, ratio }) {
    const library = await libraryFor(agent, clientId)
    const { kind } = await connectionRow(library.db, library, connectionId!)
    return { library, surface: surface!, target: connectionKinds[kind].rules, ratio }
  },
  async run(agent, input) {
    const library = await libraryFor(agent, input.clientId)
    const { clientId: _, action, deliveryId: __, ...order } = input
    if (action !== 'deliver') {
      const perform = { status: readDelivery, retry: retryDelivery, cancel: cancelDelivery }[action]
      const delivery = await perform(library, needed(input, 'deliveryId'))
      return action === 'retry' ? onItsWay(delivery) : toldOfDelivery(delivery)
    }
    return onItsWay(
      await createDelivery(library, {
        ...order,
        assetRef: needed(input, 'assetRef'),
        connectionId: needed(input, 'connectionId'),
        surface: needed(input, 'surface'),
      }),
    )
  },
})

export const toldOfDelivery = (delivery: Delivery): Answer => ({ answer: briefDelivery(delivery) })

const onItsWay = (delivery: Delivery): Answer => ({
  ...toldOfDelivery(delivery),
  ...(openStatuses.includes(delivery.status) && {
    goesOn: { clientId: delivery.clientId, id: delivery.deliveryId },
  }),
})
