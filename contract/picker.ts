import { type Static, Type } from 'typebox'
import { Id, Strict, Timestamp } from './words.ts'

/** What a person allows who picks assets on a page of another site. */
export const NewPickerToken = Strict({
  embedder: Type.String({
    minLength: 1,
    maxLength: 300,
    description: 'The origin of the page that shows the picker, e.g. `https://cms.example.com`.',
  }),
  clientId: Type.Optional(
    Type.String({ maxLength: 100, description: 'Whose assets are picked from. A portal user need not say.' }),
  ),
})
export type NewPickerToken = Static<typeof NewPickerToken>

export const PickerToken = Type.Object({
  pickerToken: Type.String({ description: 'Shown once. It lists and shows assets of this client, no more.' }),
  clientId: Id('client'),
  clientName: Type.String(),
  library: Type.String({ description: 'The path under which it is good.' }),
  expiresAt: Timestamp,
})
export type PickerToken = Static<typeof PickerToken>
