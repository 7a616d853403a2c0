import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { Delivery, NewDelivery } from '../../../contract/deliveries.ts'
import { Strict } from '../../../contract/words.ts'
import { createDelivery } from '../../deliveries/deliveries.ts'
import { libraryFor } from '../agent.ts'
import { ClientId, tool } from '../tool.ts'

const Answer = Type.Pick(Delivery, [
  'deliveryId',
  'connectionId',
  'assetRefs',
  'text',
  'status',
  'attempts',
  'remoteId',
  'remoteUrl',
  'lastError',
])

export const deliverAsset = tool({
  name: 'deliver_asset',
  title: 'Deliver an asset',
  description:
    'Has an asset brought to a connected system, converted to what that system takes; where the connection publishes posts (instagram, facebook-page, linkedin-posts, gbp-posts), at once, with its text. Once: calling again with the same arguments makes no second copy there but answers with how far the delivery is.',
  permission: 'deliveries:write',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  input: Strict({ clientId: ClientId, ...NewDelivery.properties }),
  output: Answer,
  async run(agent, { clientId, ...input }) {
    const delivery = await createDelivery(await libraryFor(agent, clientId), input)
    return { answer: Value.Clean(Answer, delivery) as Static<typeof Answer> }
  },
})
