import type { CustomFetch } from 'openid-client'
import type { Outbound, OutboundRequest } from './outbound.ts'

/** For `openid-client`: each of its requests goes where all of ours go. */
export const openidFetch =
  (outbound: Outbound, inStandardForm = (text: string) => text): CustomFetch =>
  async (url, { method, headers, body, signal }) => {
    const answer = await outbound.send({
      method: method as OutboundRequest['method'],
      url,
      headers: Object.fromEntries(new Headers(headers)),
      ...(body != null && { body: String(body) }),
      totalSeconds: 20,
      ...(signal && { signal }),
    })
    return new Response(inStandardForm(answer.text), {
      status: answer.status,
      headers: { 'content-type': answer.headers['content-type'] ?? '' },
    })
  }
