import {
  AcceptSuggestion,
  DecidedSuggestion,
  NewSuggestionRun,
  SuggestionDecisions,
  SuggestionPage,
  SuggestionQuery,
  SuggestionResults,
  SuggestionRun,
  SuggestionSettings,
  SuggestionSettingsChange,
} from '../../contract/suggestions.ts'
import { PathId } from '../../contract/words.ts'
import { libraryOf } from '../access/door.ts'
import type { App } from '../http/app.ts'
import { inLibrary } from '../http/paths.ts'
import { changeSettings, readSettings } from './consent.ts'
import { askAboutAsset, cancelRun, readRun, startRun } from './runs.ts'
import { acceptSuggestion, decideSuggestions, declineSuggestion, listSuggestions } from './suggestions.ts'

// Those who may edit texts and are people: no agent sees what nobody has accepted, or accepts it.
const permission = 'reviews:write'

export async function assetSuggestionRoutes(app: App) {
  app.post(
    '/:assetId/suggestions',
    {
      schema: {
        summary: 'Have texts of an asset suggested',
        description:
          'A job: follow it at …/suggestions/runs/{runId}. A preview of 1,024 pixels goes to the model, and nothing else of the asset.',
        params: inLibrary(app, { assetId: PathId('asset') }),
        response: { 202: SuggestionRun },
      },
      config: {
        permission,
        refuses: ['not-found', 'suggestions-off', 'ai-limit-reached', 'idempotency-key-reused'],
      },
    },
    async (request, reply) =>
      reply.code(202).send(await askAboutAsset(app.parts, libraryOf(request), request.params.assetId)),
  )
}

export async function suggestionRoutes(app: App) {
  const { parts } = app
  const params = inLibrary(app)
  const ofRun = inLibrary(app, { runId: PathId('run') })
  const ofSuggestion = inLibrary(app, { suggestionId: PathId('suggestion') })

  app.get(
    '/',
    {
      schema: {
        summary: 'List suggested texts',
        description: 'Nothing else of the API shows what nobody has accepted.',
        params,
        querystring: SuggestionQuery,
        response: { 200: SuggestionPage },
      },
      config: { permission },
    },
    async (request) => listSuggestions(parts, libraryOf(request), request.query),
  )
  app.post(
    '/runs',
    {
      schema: {
        summary: 'Have texts of many assets suggested',
        params,
        body: NewSuggestionRun,
        response: { 202: SuggestionRun },
      },
      config: {
        permission,
        refuses: ['not-found', 'suggestions-off', 'ai-limit-reached', 'idempotency-key-reused'],
      },
    },
    async (request, reply) => reply.code(202).send(await startRun(parts, libraryOf(request), request.body)),
  )
  app.get(
    '/runs/:runId',
    {
      schema: { summary: 'Read how far the model has come', params: ofRun, response: { 200: SuggestionRun } },
      config: { permission, refuses: ['not-found'] },
    },
    async (request) => readRun(libraryOf(request), request.params.runId),
  )
  app.post(
    '/runs/:runId/cancel',
    {
      schema: { summary: 'Ask the model no more', params: ofRun, response: { 200: SuggestionRun } },
      config: { permission, refuses: ['not-found'] },
    },
    async (request) => cancelRun(libraryOf(request), request.params.runId),
  )
  app.post(
    '/decide',
    {
      schema: {
        summary: 'Decide on many suggestions',
        params,
        body: SuggestionDecisions,
        response: { 200: SuggestionResults },
      },
      config: { permission, refuses: ['idempotency-key-reused'], largeAnswer: true },
    },
    async (request) => decideSuggestions(libraryOf(request), request.body),
  )
  app.post(
    '/:suggestionId/accept',
    {
      schema: {
        summary: 'Accept a suggestion',
        description:
          'As it is, or edited: a change of the asset like any other. Tags are added to those it has.',
        params: ofSuggestion,
        body: AcceptSuggestion,
        response: { 200: DecidedSuggestion },
      },
      config: { permission, refuses: ['not-found', 'changed-meanwhile', 'idempotency-key-reused'] },
    },
    async (request) => acceptSuggestion(libraryOf(request), request.params.suggestionId, request.body),
  )
  app.post(
    '/:suggestionId/decline',
    {
      schema: { summary: 'Decline a suggestion', params: ofSuggestion, response: { 200: DecidedSuggestion } },
      config: { permission, refuses: ['not-found', 'changed-meanwhile', 'idempotency-key-reused'] },
    },
    async (request) => declineSuggestion(libraryOf(request), request.params.suggestionId),
  )
}

/** Whether, where to and in which language. */
export async function suggestionSettingsRoutes(app: App) {
  const params = inLibrary(app)

  app.get(
    '/',
    {
      schema: {
        summary: 'Read whether a model may be asked',
        params,
        response: { 200: SuggestionSettings },
      },
      config: { permission: 'clients:read' },
    },
    async (request) => readSettings(app.parts, libraryOf(request)),
  )
  app.put(
    '/',
    {
      schema: {
        summary: 'Allow or forbid that a model is asked',
        description:
          'Consent is to the `host` that is set now: should it be another one later, pictures are sent nowhere until somebody consents again.',
        params,
        body: SuggestionSettingsChange,
        response: { 200: SuggestionSettings },
      },
      config: { permission: 'clients:write', refuses: ['suggestions-off'] },
    },
    async (request) => changeSettings(app.parts, libraryOf(request), request.body),
  )
}
