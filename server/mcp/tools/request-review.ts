import { ReviewRequest } from '../../../contract/review.ts'
import { Strict } from '../../../contract/words.ts'
import { requestReview } from '../../review/approvals.ts'
import { libraryFor } from '../agent.ts'
import { ClientId, tool } from '../tool.ts'

export const requestReviewTool = tool({
  name: 'request_review',
  title: 'Ask for a review',
  description:
    'Asks people to approve assets, for a client whose surfaces take approved ones only (refusal `not-approved`). They answer later: resolve again then.',
  permission: 'assets:write',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 3000,
  input: Strict({ clientId: ClientId, ...ReviewRequest.properties }),
  async run(agent, { clientId, ...input }) {
    return { answer: await requestReview(await libraryFor(agent, clientId), input) }
  },
})
