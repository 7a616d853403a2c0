import { useQuery } from '@tanstack/react-query'
import type { Plan, PlanRequest } from '../../contract/references.ts'
import { api } from '../api.ts'
import { useLibrary } from '../library/library.tsx'

/** As many as are looked at before they are sent. */
export const mostPlanned = 100

export type Planned = Plan['pictures'][number]

/** What would be sent of each, or why nothing would. */
export function useSetPlan({ assetRefs, ...purpose }: PlanRequest) {
  const library = useLibrary()
  const body: PlanRequest = { ...purpose, assetRefs: assetRefs.slice(0, mostPlanned) }
  return useQuery({
    queryKey: [library.base, 'plan', body],
    queryFn: ({ signal }) => api.post<Plan>(`${library.root}/asset-refs/plan`, body, { signal }),
    placeholderData: (before) => before,
    staleTime: 0,
  })
}
