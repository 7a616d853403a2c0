import { type Static, Type } from 'typebox'
import { Nullable } from './words.ts'

export const disclosureLevels = ['required', 'advised', 'none'] as const
export type DisclosureLevel = (typeof disclosureLevels)[number]

/** Whether people are to be told that a picture or a film was made by AI, where it is shown. */
export const Disclosure = Type.Object({
  disclosure: Type.Enum(disclosureLevels, {
    description: 'Whether people must be told there that it was made by AI.',
  }),
  disclosureField: Nullable(
    Type.Object({
      name: Type.String({
        description: 'The field of the target’s own API that says so, e.g. `is_ai_generated`.',
      }),
      value: Type.Boolean(),
      isSet: Type.Boolean({ description: 'Deliveries to this target set it.' }),
    }),
  ),
})
export type Disclosure = Static<typeof Disclosure>

export const DisclosureRules = Type.Array(
  Type.Object({
    rule: Type.String(),
    level: Type.Enum(disclosureLevels),
    says: Type.String(),
    appliesFrom: Nullable(Type.String({ description: 'The day from which it holds.' })),
    source: Type.String(),
    readOn: Type.String({ description: 'The day on which it was looked up.' }),
  }),
  { description: 'The rules behind `disclosure`.' },
)
export type DisclosureRules = Static<typeof DisclosureRules>
