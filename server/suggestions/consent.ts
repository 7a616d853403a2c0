import { sql } from 'kysely'
import type { SuggestionSettings, SuggestionSettingsChange } from '../../contract/suggestions.ts'
import type { Ai } from '../ai/ai.ts'
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

const defaultLanguage = 'en'

/** Undefined: no model is set, or the client has not consented to pictures going where it is now. */
export async function consentOf({ ai }: Pick<Parts, 'ai'>, library: Library): Promise<Consented | undefined> {
  if (!ai?.model) return undefined
  const settings = await settingsRow(library)
  if (!settings || settings.mode === 'off' || settings.host !== ai.host) return undefined
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
  const isOurs = row !== undefined && row.host === (ai?.host ?? null)
  return {
    host: ai?.model ? ai.host : null,
    model: ai?.model ?? null,
    mode: isOurs ? row.mode : 'off',
    language: row?.language ?? defaultLanguage,
    decidedBy: row?.decided_by ?? null,
    decidedAt: row?.decided_at.toISOString() ?? null,
    dailyLimit: config.ai?.dailyLimit || null,
    askedToday: await askedToday(library),
  }
}

/** Consent is to the host that whoever gives it was shown: it is kept with it. */
export async function changeSettings(
  parts: Parts,
  library: Library,
  { mode, language }: SuggestionSettingsChange,
): Promise<SuggestionSettings> {
  const { clientId, caller } = library
  if (mode !== 'off' && !parts.ai?.model)
    throw new Problem(
      'suggestions-off',
      'No model is set here that could be asked: see AI_BASE_URL and AI_MODEL.',
    )
  const host = parts.ai?.host ?? null
  await change(library, async ({ trx, note }) => {
    const settings = { mode, host, language, decided_by: caller.id }
    await trx
      .insertInto('suggestion_settings')
      .values({ client_id: clientId, ...settings })
      .onConflict((conflict) =>
        conflict.column('client_id').doUpdateSet({ ...settings, decided_at: sql`now()` }),
      )
      .execute()
    note({ action: 'client.suggestions-set', thing: clientId, details: { mode, host, language } })
  })
  return readSettings(parts, library)
}

const settingsRow = ({ db, clientId }: Library) =>
  db.selectFrom('suggestion_settings').selectAll().where('client_id', '=', clientId).executeTakeFirst()
