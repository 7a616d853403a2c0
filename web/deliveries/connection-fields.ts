import { type ConnectionKind, connectionKinds } from '../../contract/connection-kinds.ts'
import type { Field } from './kinds.ts'

/** Whether what stands in the field is not of the form that the contract asks for. */
export function isMalformed(kind: ConnectionKind, { name }: Field, text: string): boolean {
  const { settings, secrets } = connectionKinds[kind]
  const schemas: object = { ...settings.properties, ...secrets.properties }
  const { pattern } = (schemas as Record<string, { pattern?: string }>)[name]!
  const meant = name in secrets.properties ? text.trim() : text
  return pattern !== undefined && !new RegExp(pattern, 'u').test(meant)
}

/** A new secret of the form that receivers' libraries expect. */
export const newSigningSecret = () =>
  `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`
