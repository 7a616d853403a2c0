import { NewPickerToken, PickerToken } from '../../contract/picker.ts'
import { allow, callerOf, idempotencyKeyOf } from '../access/door.ts'
import type { App } from '../http/app.ts'
import { sessionToken } from '../http/session-cookie.ts'
import { pickerPage, pickerScript } from './pages.ts'
import { allowPicker } from './tokens.ts'

/** The picker that other sites show in a frame. It reads by a token of its own: the login does not go there. */
export async function pickerRoutes(app: App) {
  const page = await pickerPage(app.parts)
  const script = await pickerScript()
  const open = { schema: { hide: true }, config: { permission: 'public' } } as const

  app.get('/picker', open, async (_request, reply) => page(reply))
  app.get('/picker/asset-picker.js', open, async (_request, reply) => script(reply))
  app.post(
    '/picker/tokens',
    {
      schema: {
        summary: 'Let a page of another site show you the picker',
        body: NewPickerToken,
        response: { 201: PickerToken },
      },
      config: {
        permission: 'account',
        refuses: ['not-found', 'embedding-not-allowed', 'idempotency-key-reused'],
      },
    },
    async (request, reply) => {
      allow(request, 'assets:read')
      const token = sessionToken(request)!
      return reply
        .code(201)
        .send(await allowPicker(app.parts, callerOf(request), token, request.body, idempotencyKeyOf(request)))
    },
  )
}
