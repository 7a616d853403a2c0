import {
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type {
  Client,
  ClientChange,
  ClientPage,
  ClientRecord,
  ClientRemoval,
  ClientRemovals,
  NewClient,
  RemoveClient,
} from '../../contract/clients.ts'
import { api, query } from '../api.ts'
import { useMe } from '../session.ts'
import { recentClients } from './recent-clients.ts'

const keys = {
  clients: ['clients'],
  foundClients: (q: string) => ['clients', 'found', q],
  everyClient: ['clients', 'every'],
  removals: ['clients', 'removals'],
}

/** The clients a person may open, page by page, by name. */
export const useFoundClients = (q: string) =>
  useInfiniteQuery({
    queryKey: keys.foundClients(q),
    queryFn: ({ pageParam, signal }) =>
      api.get<ClientPage>(`/admin/clients${query({ q: q || undefined, cursor: pageParam })}`, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    // How full a library is changes with every upload, and no event says so here.
    refetchOnMount: 'always',
  })

/** Those opened last, as long as they may still be opened. */
export function useRecentClients(): Client[] {
  const me = useMe()
  const ids = me ? recentClients(me.id).all() : []
  return useQueries({
    queries: ids.map((clientId) =>
      queryOptions({
        queryKey: ['clients', 'recent', clientId],
        queryFn: () => api.get<ClientRecord>(`/admin/clients/${clientId}`),
        refetchOnMount: 'always',
      }),
    ),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  })
}

/** All of them, for choosing some. */
export const useEveryClient = () =>
  useQuery({
    queryKey: keys.everyClient,
    queryFn: async () => {
      const clients: Client[] = []
      let cursor: string | undefined
      do {
        const page = await api.get<ClientPage>(`/admin/clients${query({ limit: 200, cursor })}`)
        clients.push(...page.clients)
        cursor = page.nextCursor ?? undefined
      } while (cursor)
      return clients
    },
  })

export function useSaveClient(clientId: string | undefined) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (wish: Partial<NewClient> & ClientChange) =>
      clientId
        ? api.patch<Client>(`/admin/clients/${clientId}`, wish)
        : api.post<Client>('/admin/clients', wish),
    // One after the other: the last choice is the one that stays.
    scope: { id: `client ${clientId}` },
    onSuccess: (saved) => {
      client.setQueryData<ClientRecord>(['client', clientId], (record) => record && { ...record, ...saved })
      client.invalidateQueries({ queryKey: keys.clients })
      return client.invalidateQueries({ queryKey: ['client', clientId] })
    },
  })
}

export function useRemoveClient() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ clientId, ...body }: RemoveClient & { clientId: string }) =>
      api.delete<ClientRemoval>(`/admin/clients/${clientId}`, body),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.clients }),
  })
}

/** Clients that were removed; asked for again while one of them is still going. */
export const useClientRemovals = () =>
  useQuery({
    queryKey: keys.removals,
    queryFn: async () => (await api.get<ClientRemovals>('/admin/client-removals')).removals,
    refetchInterval: ({ state }) => (state.data?.some(({ finishedAt }) => !finishedAt) ? 1000 : false),
  })
