import type { TSchema } from 'typebox'
import { PathId, Strict } from '../../contract/words.ts'
import type { App } from './app.ts'

/** The parameters of a path behind either door: the admin side names the client, the portal does not. */
export const inLibrary = <T extends Record<string, TSchema>>(app: App, params: T = {} as T) =>
  Strict(app.prefix.includes(':clientId') ? { clientId: PathId('client'), ...params } : params) as ReturnType<
    typeof Strict<T>
  >
