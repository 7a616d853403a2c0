import { Connection } from '../../../contract/deliveries.ts'
import { SignInReturn } from '../../../contract/sign-in.ts'
import { callerOf } from '../../access/door.ts'
import type { App } from '../../http/app.ts'
import { sessionOf } from './session.ts'
import { finishSignIn } from './sign-in.ts'

/** The way back from a vendor names no client: what was begun knows it. */
export async function signInRoutes(app: App) {
  const { parts } = app

  app.post(
    '/admin/connections/sign-in',
    {
      schema: {
        summary: 'Finish signing in to a connection',
        body: SignInReturn,
        response: { 200: Connection },
      },
      config: {
        permission: 'clients:write',
        waitsElsewhere: true,
        refuses: [
          ...(['sign-in-over', 'sign-in-declined', 'sign-in-incomplete', 'sign-in-failed'] as const),
          ...(['sign-in-not-configured', 'secret-key-changed', 'not-found'] as const),
        ],
      },
    },
    async (request) => finishSignIn(parts, callerOf(request), sessionOf(request), request.body),
  )
}
