import { eventTypes } from '../../contract/events.ts'
import { webhookMessage } from '../../contract/webhooks.ts'

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})

/** What a webhook is sent for each type of event: the `webhooks` of OpenAPI 3.1. */
export const webhookPosts = () =>
  Object.fromEntries(
    eventTypes.map((type) => [
      type,
      {
        post: {
          operationId: `webhook${type.replace(/(^|[.-])(\w)/g, (_, __, letter) => letter.toUpperCase())}`,
          summary: `Sent to webhooks: ${type}`,
          tags: ['webhooks'],
          security: [],
          parameters: [
            header('webhook-id', 'The same for each attempt: whoever has seen it has had this event.'),
            header('webhook-timestamp', 'Seconds since 1970.'),
            header('webhook-signature', 'By the Standard Webhooks rules, with the secret of the webhook.'),
          ],
          requestBody: { required: true, content: { 'application/json': { schema: webhookMessage(type) } } },
          responses: {
            '2XX': { description: 'Taken.' },
            '4XX': { description: 'Refused: sent again some times, then set aside.' },
            default: { description: 'Tried again, later and later.' },
          },
        },
      },
    ]),
  )
