import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { AgentRecord, Agents } from '../../contract/agents.ts'
import { api } from '../api.ts'
import { keys } from '../library/cache.ts'
import { useLibrary } from '../library/library.tsx'

/** The agents of the client, those that were stopped last. */
export function useAgents() {
  const library = useLibrary()
  return useQuery({
    queryKey: [...keys.activity(library), 'agents'],
    queryFn: ({ signal }) => api.get<Agents>(`${library.root}/agents`, { signal }),
    staleTime: 0,
  })
}

/** What one of them did. */
export function useAgent(keyId: string) {
  const library = useLibrary()
  return useQuery({
    queryKey: [...keys.activity(library), 'agents', keyId],
    queryFn: ({ signal }) => api.get<AgentRecord>(`${library.root}/agents/${keyId}`, { signal }),
    staleTime: 0,
  })
}

/** For this client alone. */
export function useStopAgent() {
  const client = useQueryClient()
  const library = useLibrary()
  return useMutation({
    mutationFn: (keyId: string) => api.delete(`${library.root}/agents/${keyId}`),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.activity(library) }),
  })
}
