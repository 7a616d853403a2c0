import { type Static, Type } from 'typebox'
import { Asset, mostIds } from './assets.ts'
import { AssetSearch } from './search.ts'
import { Id, NextCursor, Nullable, Page, Strict, Timestamp } from './words.ts'

export const suggestedFields = ['title', 'altText', 'tags'] as const
export type SuggestedField = (typeof suggestedFields)[number]

export const suggestionStatuses = ['open', 'accepted', 'edited', 'declined'] as const
export type SuggestionStatus = (typeof suggestionStatuses)[number]

export const suggestionDecisions = ['accept', 'decline', 'reopen'] as const
export type SuggestionDecision = (typeof suggestionDecisions)[number]

export const suggestionModes = ['off', 'on-request', 'on-upload'] as const
export type SuggestionMode = (typeof suggestionModes)[number]

export const sentKinds = ['pictures', 'words'] as const
/** What leaves for a model: `pictures` for suggestions, `words` for a search by meaning. */
export type SentKind = (typeof sentKinds)[number]

const SentKinds = (description: string) =>
  Type.Array(Type.Enum(sentKinds), { uniqueItems: true, maxItems: sentKinds.length, description })

const WrittenLanguage = Type.String({
  maxLength: 20,
  pattern: '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$',
  description: 'The language that people of the client write in, as `de` or `pt-BR`.',
})

export const SuggestionSettings = Type.Object({
  host: Nullable(
    Type.String({
      description: 'Where all that leaves would be sent. Null: no model is set, and none is asked.',
    }),
  ),
  model: Nullable(Type.String({ description: 'Which is asked about pictures.' })),
  embeddingsModel: Nullable(Type.String({ description: 'Which is asked what words mean.' })),
  sends: SentKinds(
    'What leaves where there is consent to it. `pictures`: previews. `words`: titles, alt texts, tags, descriptions, text read in pictures, and what people search for.',
  ),
  consentedTo: SentKinds('What of it the client has consented to. Nothing else of it is sent.'),
  mode: Type.Enum(suggestionModes, {
    description:
      '`off`: nothing of the client is sent anywhere. `on-request`: pictures when somebody asks. `on-upload`: of every new file, too.',
  }),
  language: WrittenLanguage,
  decidedBy: Nullable(Type.String()),
  decidedAt: Nullable(Timestamp),
  dailyLimit: Nullable(Type.Integer({ description: 'Pictures in a day (UTC) at most.' })),
  askedToday: Type.Integer(),
})
export type SuggestionSettings = Static<typeof SuggestionSettings>

export const SuggestionSettingsChange = Strict({
  mode: Type.Enum(suggestionModes),
  language: WrittenLanguage,
  consentedTo: Type.Optional(
    SentKinds('What whoever decides was told of. Without it, all that is sent as things are set now.'),
  ),
})
export type SuggestionSettingsChange = Static<typeof SuggestionSettingsChange>

export const Suggestion = Type.Object({
  suggestionId: Id('suggestion'),
  assetId: Id('asset'),
  version: Type.Integer({ description: 'The version that the model was shown.' }),
  field: Type.Enum(suggestedFields),
  text: Type.String({ description: 'As it would be written. Tags: with commas between them.' }),
  current: Type.String({ description: 'What stands there now.' }),
  changedSince: Type.Boolean({ description: 'Somebody has written there since the model was asked.' }),
  model: Type.String(),
  createdAt: Timestamp,
  status: Type.Enum(suggestionStatuses),
  decidedBy: Nullable(Type.String()),
  decidedAt: Nullable(Timestamp),
})
export type Suggestion = Static<typeof Suggestion>

const mostAssetsAsked = 100

export const SuggestionQuery = Strict({
  ...Page,
  status: Type.Optional(Type.Enum(suggestionStatuses, { default: 'open' })),
  assetId: Type.Optional(
    Type.Union([Id('asset'), Type.Array(Id('asset'), { maxItems: mostAssetsAsked })], {
      description: 'May be repeated: of any of them.',
    }),
  ),
})
export type SuggestionQuery = Static<typeof SuggestionQuery>

export const SuggestionPage = Type.Object({
  model: Nullable(
    Type.String({ description: 'Which can be asked. Null: none is set, or the client has not consented.' }),
  ),
  suggestions: Type.Array(Suggestion),
  nextCursor: NextCursor,
})
export type SuggestionPage = Static<typeof SuggestionPage>

/** Of one run. */
export const mostSuggested = 10_000

export const NewSuggestionRun = Strict({
  assetIds: Type.Optional(Type.Array(Id('asset'), { minItems: 1, maxItems: mostIds, uniqueItems: true })),
  search: Type.Optional(AssetSearch),
  except: Type.Optional(
    Type.Array(Id('asset'), { maxItems: mostIds, description: 'What of `search` is left out.' }),
  ),
})
export type NewSuggestionRun = Static<typeof NewSuggestionRun>

const Told = Type.Object({ code: Type.String(), detail: Type.String() })

export const SuggestionRun = Type.Object({
  runId: Id('run'),
  state: Type.Enum(['running', 'done', 'cancelled', 'stopped'], {
    description: '`stopped`: the model cannot be asked any more; `problem` says why.',
  }),
  total: Type.Integer(),
  done: Type.Integer({ description: 'Assets that the model was asked about.' }),
  made: Type.Integer({ description: 'Suggestions that came of it.' }),
  failed: Type.Integer({ description: 'Assets of which nothing useful came back.' }),
  problem: Nullable(Told),
  createdAt: Timestamp,
  endedAt: Nullable(Timestamp),
})
export type SuggestionRun = Static<typeof SuggestionRun>

const IfMatch = Type.Optional(
  Type.String({
    maxLength: 100,
    description: 'The ETag of the asset as it was looked at. Without it, what was written since stays.',
  }),
)

export const AcceptSuggestion = Strict({
  text: Type.Optional(Type.String({ maxLength: 4000, description: 'Edited. Without it, as suggested.' })),
  ifMatch: IfMatch,
})
export type AcceptSuggestion = Static<typeof AcceptSuggestion>

export const DecidedSuggestion = Type.Object({ suggestion: Suggestion, asset: Asset })
export type DecidedSuggestion = Static<typeof DecidedSuggestion>

export const SuggestionDecisions = Strict({
  decisions: Type.Array(
    Strict({
      suggestionId: Id('suggestion'),
      decision: Type.Enum(suggestionDecisions, {
        description:
          '`reopen` takes a decision back: it can be decided on again. What was written by it stays until somebody edits it.',
      }),
      ...AcceptSuggestion.properties,
    }),
    { minItems: 1, maxItems: 300 },
  ),
})
export type SuggestionDecisions = Static<typeof SuggestionDecisions>

export const SuggestionResults = Type.Object({
  results: Type.Array(
    Type.Object({
      suggestionId: Type.String(),
      ok: Type.Boolean(),
      suggestion: Type.Optional(Suggestion),
      asset: Type.Optional(Asset),
      problem: Type.Optional(Told),
    }),
  ),
})
export type SuggestionResults = Static<typeof SuggestionResults>
