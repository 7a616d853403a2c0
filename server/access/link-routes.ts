import type { FastifyRequest } from 'fastify'
import {
  Accepted,
  EmailConfirmation,
  ForgottenPassword,
  LinkFollowed,
  NewPassword,
  SignInOptions,
} from '../../contract/access.ts'
import type { Language } from '../../contract/words.ts'
import type { App } from '../http/app.ts'
import { originOf, refuseOtherSites } from './door.ts'
import { askForReset, choosePassword, confirmEmail } from './forgotten.ts'

/** For people who are not logged in: what they can do, and links that they were sent. */
export async function linkRoutes(app: App) {
  const { parts } = app

  app.get(
    '/auth/options',
    {
      schema: { summary: 'How people can log in here', response: { 200: SignInOptions } },
      config: { permission: 'public' },
    },
    async () => ({
      mail: parts.mailer.isSet,
      providers: parts.config.oidcProviders.map(({ id, name }) => ({ id, name })),
    }),
  )
  app.post(
    '/auth/forgot',
    {
      schema: {
        summary: 'Ask for a link to a new password by e-mail',
        body: ForgottenPassword,
        response: { 202: Accepted },
      },
      config: { permission: 'public', refuses: ['too-many-attempts', 'cross-site'] },
    },
    async (request, reply) => {
      refuseOtherSites(request)
      await askForReset(parts, app.loginTurns, request.body, languageIn(request), originOf(request))
      return reply.code(202).send({ accepted: true })
    },
  )
  for (const [path, purpose, summary] of [
    ['/auth/reset', 'reset', 'Choose a new password by a link'],
    ['/auth/accept-invitation', 'invitation', 'Accept an invitation: choose a password'],
  ] as const)
    app.post(
      path,
      {
        schema: { summary, body: NewPassword, response: { 200: LinkFollowed } },
        config: {
          permission: 'public',
          refuses: ['link-over', 'weak-password', 'too-many-attempts', 'cross-site'],
        },
      },
      async (request) => {
        refuseOtherSites(request)
        return choosePassword(parts, app.loginTurns, purpose, request.body, originOf(request))
      },
    )
  app.post(
    '/auth/confirm-email',
    {
      schema: {
        summary: 'Confirm a new e-mail by a link',
        body: EmailConfirmation,
        response: { 200: LinkFollowed },
      },
      config: {
        permission: 'public',
        refuses: ['link-over', 'email-taken', 'too-many-attempts', 'cross-site'],
      },
    },
    async (request) => {
      refuseOtherSites(request)
      return confirmEmail(parts, app.loginTurns, request.body.token, originOf(request))
    },
  )
}

/** What the browser asks for, for people who have not chosen. */
const languageIn = (request: FastifyRequest): Language =>
  /^de\b/i.test(request.headers['accept-language'] ?? '') ? 'de' : 'en'
