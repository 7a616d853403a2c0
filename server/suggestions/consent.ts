import { type Selectable, sql } from 'kysely'
import type { SentKind, SuggestionSettings, SuggestionSettingsChange } from '../../contract/suggestions.ts'
import type { Ai } from '../ai/ai.ts'
import type { SuggestionSettingsTable } from '../db/schema.ts'
import { change, type Library, type Parts } from '../library.ts'
import { Problem } from '../problems.ts'
import { askedToday } from './daily-limit.ts'

/** The model that may be asked about the pictures of this client, and how. */
export interface Consented {
  ai: Ai
  model: string
  language: string
  onUpload: boolean
}

type Settings = Selectable<SuggestionSettingsTable>

const defaultLanguage = 'en'

/** Undefined: no model is set, or the client has not consented to pictures going where it is now. */
export async function consentOf({ ai }: Pick<Parts, 'ai'>, library: Library): Promise<Consented | undefined> {
  if (!ai?.model) return undefined
  const settings = await settingsRow(library)
  if (!settings || !consentedTo(settings, ai).includes('pictures')) return undefined
  return { ai, model: ai.model, language: settings.language, onUpload: settings.mode === 'on-upload' }
}

export async function consented(parts: Pick<Parts, 'ai'>, library: Library): Promise<Consented> {
  const found = await consentOf(parts, library)
  if (!found) throw suggestionsOff()
  return found
}

const suggestionsOff = () =>
  new Problem(
    'suggestions-off',
    'No model may be asked about pictures of this client. An administrator can allow it in the settings of the client.',
  )

export async function readSettings(parts: Parts, library: Library): Promise<SuggestionSettings> {
  const { ai, config } = parts
  const row = await settingsRow(library)
  const sends = sentBy(parts)
  return {
    host: sends.length > 0 ? ai!.host : null,
    model: ai?.model ?? null,
    embeddingsModel: sends.includes('words') ? ai!.embeddingsModel! : null,
    sends,
    consentedTo: row ? consentedTo(row, ai).filter((kind) => sends.includes(kind)) : [],
    mode: row && row.host === (ai?.host ?? null) ? row.mode : 'off',
    language: row?.language ?? defaultLanguage,
    decidedBy: row?.decided_by ?? null,
    decidedAt: row?.decided_at.toISOString() ?? null,
    dailyLimit: config.ai?.dailyLimit || null,
    askedToday: await askedToday(library),
  }
}

const sentBy = ({ ai, meaning }: Pick<Parts, 'ai' | 'meaning'>): SentKind[] => [
  ...(ai?.model ? (['pictures'] as const) : []),
  ...(meaning ? (['words'] as const) : []),
]

/** Nothing, if that was to another host. */
const consentedTo = (
  { mode, host, sends }: Pick<Settings, 'mode' | 'host' | 'sends'>,
  ai: Ai | undefined,
): SentKind[] => (mode === 'off' || host !== ai?.host ? [] : sends)

/** Consent is to the host and to what leaves as whoever gives it was told: it is kept with both. */
export async function changeSettings(
  parts: Parts,
  library: Library,
  { mode, language, consentedTo: told }: SuggestionSettingsChange,
): Promise<SuggestionSettings> {
  const { clientId, caller } = library
  const sent = sentBy(parts)
  if (mode !== 'off' && sent.length === 0)
    throw new Problem(
      'suggestions-off',
      'No model is set here that could be asked: see AI_BASE_URL, AI_MODEL and AI_EMBEDDINGS_MODEL.',
    )
  const host = parts.ai?.host ?? null
  const sends = mode === 'off' ? [] : sent.filter((kind) => !told || told.includes(kind))
  await change(library, async ({ trx, note }) => {
    const settings = { mode, host, sends, language, decided_by: caller.id }
    await trx
      .insertInto('suggestion_settings')
      .values({ client_id: clientId, ...settings })
      .onConflict((conflict) =>
        conflict.column('client_id').doUpdateSet({ ...settings, decided_at: sql`now()` }),
      )
      .execute()
    note({ action: 'client.suggestions-set', thing: clientId, details: { mode, host, sends, language } })
  })
  return readSettings(parts, library)
}

const settingsRow = ({ db, clientId }: Library) =>
  db.selectFrom('suggestion_settings').selectAll().where('client_id', '=', clientId).executeTakeFirst()
