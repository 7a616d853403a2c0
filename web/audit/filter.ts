import type { AuditAction } from '../../contract/audit.ts'

/** What of the trail a person looks at, as the address says it. Days are those of the person's own clock. */
export interface AuditFilter {
  client?: string
  who?: string
  kind?: Kind
  thing?: string
  from?: string
  to?: string
}

type KindOf<Action> = Action extends `${infer Kind}.${string}` ? Kind : never
export type Kind = KindOf<AuditAction>

const kind = /^[a-z-]+$/
const day = /^\d{4}-\d\d-\d\d$/

/** Reads an address; what makes no sense is left out rather than refused. */
export function readFilter(search: Record<string, unknown>): AuditFilter {
  const filter: AuditFilter = {}
  for (const name of ['client', 'who', 'thing'] as const)
    if (search[name] !== undefined && search[name] !== '') filter[name] = String(search[name])
  for (const name of ['from', 'to'] as const) {
    const value = String(search[name])
    if (day.test(value) && !Number.isNaN(Date.parse(value))) filter[name] = value
  }
  if (kind.test(String(search.kind ?? ''))) filter.kind = search.kind as Kind
  return filter
}
