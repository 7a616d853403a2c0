import { type ConnectionKind, connectionKinds } from '../../contract/connection-kinds.ts'
import type { Words } from '../words/en.ts'
import type { Field } from './kinds.ts'

type Said = keyof Words['connections']['bad']

/** The field, if what stands in it is not of the form that the contract asks for. */
export function malformed(kind: ConnectionKind, { name }: Field, text: string): Said | null {
  const { settings, secrets } = connectionKinds[kind]
  const schemas: object = { ...settings.properties, ...secrets.properties }
  const { pattern } = (schemas as Record<string, { pattern?: string }>)[name]!
  const meant = name in secrets.properties ? text.trim() : text
  return !pattern || new RegExp(pattern, 'u').test(meant) ? null : (name as Said)
}

/** A new secret of the form that receivers' libraries expect. */
export const newSigningSecret = () =>
  `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`
