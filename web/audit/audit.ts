import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { type AuditPage, auditActions } from '../../contract/audit.ts'
import { api, query } from '../api.ts'
import type { AuditFilter, Kind } from './filter.ts'

export const kinds = [...new Set(auditActions.map((action) => action.split('.')[0] as Kind))]

export const useTrail = (filter: AuditFilter) =>
  useInfiniteQuery({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam, signal }) =>
      api.get<AuditPage>(`/admin/audit${query({ ...asked(filter), cursor: pageParam })}`, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    // Whoever looks wants to see what has just happened.
    staleTime: 0,
  })

const asked = ({ client, who, kind, thing, from, to }: AuditFilter) => ({
  clientId: client,
  principalId: who,
  action: kind,
  thing: thing?.trim(),
  from: from && startOf(from),
  to: to && startOf(to, 1),
})

function startOf(date: string, later = 0): string {
  const [year, month, dayOfMonth] = date.split('-').map(Number) as [number, number, number]
  return new Date(year, month - 1, dayOfMonth + later).toISOString()
}
