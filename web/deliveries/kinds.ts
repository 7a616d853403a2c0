import { Globe, type LucideIcon, MapPin, Share2, Webhook } from 'lucide-react'
import { type ConnectionKind, connectionKinds, type FieldName } from '../../contract/connection-kinds.ts'
import type { Connection } from '../../contract/deliveries.ts'
import type { Surface } from '../../contract/words.ts'

export interface Field {
  name: FieldName
  optional: boolean
  secret: boolean
  choices: string[] | undefined
  yesNo: boolean
}

/** Set over the API, where a gateway stands in front of the vendor. */
const unseen = ['baseUrl']

interface Schema {
  properties: Record<string, { type?: string; format?: string; enum?: unknown[] }>
  required?: readonly string[]
}

const fieldsOf = ({ properties, required = [] }: Schema): Field[] =>
  Object.entries(properties)
    .filter(([name]) => !unseen.includes(name))
    .map(([name, { type, format, enum: choices }]) => ({
      name: name as FieldName,
      optional: !required.includes(name),
      secret: format === 'password',
      choices: choices as Field['choices'],
      yesNo: type === 'boolean',
    }))

export const settingsOf = (kind: ConnectionKind) => fieldsOf(connectionKinds[kind].settings as Schema)
export const secretsOf = (kind: ConnectionKind) => fieldsOf(connectionKinds[kind].secrets as Schema)

/** What may be shown there. */
export const surfacesOf = (kind: ConnectionKind): readonly Surface[] => connectionKinds[kind].surfaces

const icons: Record<Surface, LucideIcon> = { website: Globe, social: Share2, gbp: MapPin }

export function iconOf(kind: ConnectionKind): LucideIcon {
  const [surface, ...others] = surfacesOf(kind)
  return others.length > 0 ? Webhook : icons[surface!]
}

/** Where it leads, in a few letters. */
export function addressOf({ kind, settings }: Connection): string {
  const name: FieldName = connectionKinds[kind].address
  return String(settings[name] ?? '')
}
