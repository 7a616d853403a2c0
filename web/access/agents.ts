import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type {
  AuthorizationRequest,
  ConnectedAgents,
  ConsentAnswer,
  Consented,
  ConsentQuestion,
} from '../../contract/agent-sign-in.ts'
import { api } from '../api.ts'
import { useMe } from '../session.ts'

const agentsKey = ['agents']

const parameters = [
  'response_type',
  'client_id',
  'redirect_uri',
  'code_challenge',
  'code_challenge_method',
  'state',
  'scope',
  'resource',
] as const

/** What the program asked for, as the server has wrapped it; the server is the one to say whether it makes sense. */
export function requestIn(wrapped = ''): AuthorizationRequest {
  const said = new URLSearchParams(atob(wrapped.replaceAll('-', '+').replaceAll('_', '/')))
  const given = parameters.map((name) => [name, said.get(name)]).filter(([, value]) => value !== null)
  return Object.fromEntries(given)
}

export const useConsentQuestion = (request: AuthorizationRequest) =>
  useQuery({
    queryKey: ['consent', request],
    queryFn: () => api.get<ConsentQuestion>(`/oauth/consent?${new URLSearchParams(request)}`),
    // Asked anew each time, and said as it is.
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  })

export const useAnswerConsent = () =>
  useMutation({ mutationFn: (answer: ConsentAnswer) => api.post<Consented>('/oauth/consent', answer) })

const useAgentsPath = () => (useMe()?.clientId ? '/portal/connected-agents' : '/admin/agents')

export function useAgents() {
  const path = useAgentsPath()
  return useQuery({
    queryKey: agentsKey,
    queryFn: async () => (await api.get<ConnectedAgents>(path)).agents,
  })
}

export function useDisconnectAgent() {
  const client = useQueryClient()
  const path = useAgentsPath()
  return useMutation({
    mutationFn: (agentId: string) => api.delete(`${path}/${agentId}`),
    onSuccess: () => client.invalidateQueries({ queryKey: agentsKey }),
  })
}
