import { Me } from '../../../contract/access.ts'
import {
  AddedPasskey,
  NewPasskey,
  NewPasskeyBegun,
  PasskeySignIn,
  PasskeySignInBegun,
  Proof,
  RecoveryCodes,
  SecondFactors,
  SecondStepAnswer,
  TotpBegun,
  TotpCode,
} from '../../../contract/second-factor.ts'
import { PathId, Strict } from '../../../contract/words.ts'
import type { App } from '../../http/app.ts'
import { guessedAt, ownerOf, proveOwner } from '../account.ts'
import { callerOf, originOf, refuseOtherSites } from '../door.ts'
import { enter } from '../enter.ts'
import { deviceOf } from '../known-device.ts'
import { beginTotp, confirmTotp, removeTotp } from './app-codes.ts'
import { newRecoveryCodes, resetSecondFactor, secondFactorsOf } from './factors.ts'
import { addPasskey, beginPasskey, refuseForeign, removePasskey } from './passkeys.ts'
import { beginPasskeySignIn, finishSecondStep, signInWithPasskey } from './second-step.ts'

/** The second step of a login, and what people have for it. */
export async function secondFactorRoutes(app: App) {
  const { parts } = app
  const { db } = parts
  const ofAccount = { permission: 'account', whilePending: ['second-factor'] } as const
  const asksPassword = ['wrong-password', 'too-many-attempts'] as const

  app.post(
    '/auth/second-factor',
    {
      schema: { summary: 'Log in: the second step', body: SecondStepAnswer, response: { 200: Me } },
      config: {
        permission: 'public',
        refuses: ['wrong-login', 'wrong-code', 'sign-in-over', 'too-many-attempts', 'cross-site'],
      },
    },
    async (request, reply) => {
      refuseOtherSites(request)
      const [origin, device] = [originOf(request), deviceOf(request)]
      const session = await finishSecondStep(parts, app.loginTurns, request.body, origin, device)
      return enter(request, reply, session)
    },
  )
  app.post(
    '/auth/passkeys/sign-in-options',
    {
      schema: { summary: 'Log in with a passkey: what to ask it', response: { 200: PasskeySignInBegun } },
      config: { permission: 'public', refuses: ['cross-site'] },
    },
    async (request) => {
      refuseOtherSites(request)
      return beginPasskeySignIn(parts)
    },
  )
  app.post(
    '/auth/passkeys/sign-in',
    {
      schema: { summary: 'Log in with a passkey', body: PasskeySignIn, response: { 200: Me } },
      config: {
        permission: 'public',
        refuses: ['wrong-login', 'wrong-code', 'sign-in-over', 'too-many-attempts', 'cross-site'],
      },
    },
    async (request, reply) => {
      refuseOtherSites(request)
      return enter(
        request,
        reply,
        await signInWithPasskey(parts, app.loginTurns, request.body, originOf(request)),
      )
    },
  )

  app.get(
    '/auth/second-factor',
    { schema: { summary: 'Your second factors', response: { 200: SecondFactors } }, config: ofAccount },
    async (request) => secondFactorsOf(parts, callerOf(request)),
  )
  app.post(
    '/auth/totp',
    {
      schema: {
        summary: 'Begin to set up an app that makes codes',
        body: Proof,
        response: { 200: TotpBegun },
      },
      config: { ...ofAccount, refuses: [...asksPassword, 'in-use'] },
    },
    async (request) => {
      return beginTotp(parts, await proveOwner(request, request.body.password))
    },
  )
  app.post(
    '/auth/totp/confirm',
    {
      schema: {
        summary: 'Confirm the app with its first code',
        body: TotpCode,
        response: { 200: RecoveryCodes },
      },
      config: { ...ofAccount, refuses: ['wrong-code', 'in-use', 'too-many-attempts'] },
    },
    async (request) => ({
      recoveryCodes: await guessedAt(request, `second-factor ${callerOf(request).id}`, () =>
        confirmTotp(parts, ownerOf(request), request.body.code),
      ),
    }),
  )
  app.delete(
    '/auth/totp',
    {
      schema: { summary: 'Remove the app that makes codes', body: Proof },
      config: { ...ofAccount, refuses: asksPassword },
    },
    async (request, reply) => {
      await removeTotp(db, await proveOwner(request, request.body.password))
      return reply.code(204).send()
    },
  )
  app.post(
    '/auth/recovery-codes',
    {
      schema: { summary: 'Make new recovery codes', body: Proof, response: { 200: RecoveryCodes } },
      config: { ...ofAccount, refuses: [...asksPassword, 'not-found'] },
    },
    async (request) => {
      const owner = await proveOwner(request, request.body.password)
      return { recoveryCodes: await newRecoveryCodes(db, owner) }
    },
  )
  app.post(
    '/auth/passkeys/options',
    {
      schema: { summary: 'Begin to add a passkey', body: Proof, response: { 200: NewPasskeyBegun } },
      config: { ...ofAccount, refuses: [...asksPassword, 'in-use'] },
    },
    async (request) => {
      await proveOwner(request, request.body.password)
      return beginPasskey(parts, callerOf(request))
    },
  )
  app.post(
    '/auth/passkeys',
    {
      schema: { summary: 'Add a passkey', body: NewPasskey, response: { 201: AddedPasskey } },
      config: { ...ofAccount, refuses: ['wrong-code', 'sign-in-over'] },
    },
    async (request, reply) => reply.code(201).send(await addPasskey(parts, ownerOf(request), request.body)),
  )
  app.delete(
    '/auth/passkeys/:passkeyId',
    {
      schema: {
        summary: 'Remove a passkey',
        params: Strict({ passkeyId: PathId('passkey') }),
        body: Proof,
      },
      config: { ...ofAccount, refuses: [...asksPassword, 'not-found'] },
    },
    async (request, reply) => {
      await refuseForeign(db, callerOf(request), request.params.passkeyId)
      const owner = await proveOwner(request, request.body.password)
      await removePasskey(db, owner, request.params.passkeyId)
      return reply.code(204).send()
    },
  )
  app.delete(
    '/admin/users/:userId/second-factor',
    {
      schema: {
        summary: 'Remove all second factors of a user',
        params: Strict({ userId: PathId('user') }),
      },
      config: { permission: 'users:write', refuses: ['not-found'] },
    },
    async (request, reply) => {
      await resetSecondFactor(db, callerOf(request), request.params.userId)
      return reply.code(204).send()
    },
  )
}
