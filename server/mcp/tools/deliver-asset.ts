import { Delivery, NewDelivery } from '../../../contract/deliveries.ts'
import { Strict } from '../../../contract/words.ts'
import { createDelivery } from '../../deliveries/deliveries.ts'
import { libraryFor } from '../agent.ts'
import { ClientId, tool } from '../tool.ts'

export const deliverAsset = tool({
  name: 'deliver_asset',
  title: 'Deliver an asset',
  description:
    'Has an asset brought to a connected system, converted to what that system takes. Once: calling again with the same arguments makes no second copy there but answers with how far the delivery is.',
  permission: 'deliveries:write',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  input: Strict({ clientId: ClientId, ...NewDelivery.properties }),
  output: Delivery,
  async run(agent, { clientId, ...input }) {
    return { answer: await createDelivery(await libraryFor(agent, clientId), input) }
  },
})
