import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type {
  Connection,
  ConnectionChange,
  Connections,
  Deliveries,
  Delivery,
  DeliveryPage,
  DeliveryQuery,
  NewConnection,
  NewDelivery,
  Settlement,
} from '../../contract/deliveries.ts'
import { api, query as inUrl } from '../api.ts'
import { keys } from '../library/cache.ts'
import { type Library, useLibrary } from '../library/library.tsx'
import { newKey } from '../new-key.ts'

const pageSize = 20
/** Events tell when a delivery begins and ends; how far it has come is asked for. */
const progressEvery = 1500

const connectionsUrl = ({ clientId }: Library) => `/admin/clients/${clientId}/connections`
const deliveriesUrl = ({ clientId }: Library) => `/admin/clients/${clientId}/deliveries`

export const isUnderWay = ({ status }: Delivery) =>
  status === 'queued' || status === 'preparing' || status === 'sending'

export function useConnections(enabled = true) {
  const library = useLibrary()
  return useQuery({
    enabled,
    queryKey: keys.connections(library),
    queryFn: async ({ signal }) =>
      (await api.get<Connections>(connectionsUrl(library), { signal })).connections,
  })
}

export function useSaveConnection(connectionId: string | undefined) {
  const library = useLibrary()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (wish: NewConnection | ConnectionChange) =>
      connectionId
        ? api.patch<Connection>(`${connectionsUrl(library)}/${connectionId}`, wish)
        : api.post<Connection>(connectionsUrl(library), wish, { idempotencyKey: newKey() }),
    onSuccess: (saved) =>
      client.setQueryData<Connection[]>(keys.connections(library), (all = []) =>
        connectionId ? all.map((one) => (one.connectionId === connectionId ? saved : one)) : [...all, saved],
      ),
  })
}

export function useTestConnection() {
  const library = useLibrary()
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ connectionId }: Connection) =>
      api.post<Connection>(`${connectionsUrl(library)}/${connectionId}/test`),
    onSuccess: (tested) =>
      client.setQueryData<Connection[]>(keys.connections(library), (all) =>
        all?.map((one) => (one.connectionId === tested.connectionId ? tested : one)),
      ),
  })
}

export function useRemoveConnection() {
  const library = useLibrary()
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ connectionId }: Connection) => api.delete(`${connectionsUrl(library)}/${connectionId}`),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.connections(library) }),
  })
}

/** Newest first, page by page; asked again while one of them is under way. */
export function useDeliveries(query: DeliveryQuery) {
  const library = useLibrary()
  return useInfiniteQuery({
    queryKey: keys.deliveries(library, query),
    queryFn: ({ pageParam, signal }) =>
      api.get<DeliveryPage>(
        `${deliveriesUrl(library)}${inUrl({ ...query, limit: pageSize, cursor: pageParam })}`,
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    // Events say it too; but the page may have been closed while they came.
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.deliveries.some(isUnderWay)) ? progressEvery : false,
  })
}

function useRereadDeliveries() {
  const library = useLibrary()
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: keys.everyDelivery(library) })
}

export function useDeliver() {
  const library = useLibrary()
  const reread = useRereadDeliveries()
  return useMutation({
    mutationFn: (wish: NewDelivery) =>
      api.post<Delivery>(deliveriesUrl(library), wish, { idempotencyKey: newKey() }),
    onSuccess: reread,
  })
}

/** Brings the current version to wherever an earlier one is live. */
export function useRedeliver() {
  const library = useLibrary()
  const reread = useRereadDeliveries()
  return useMutation({
    mutationFn: (assetRef: string) =>
      api.post<Deliveries>(`${deliveriesUrl(library)}/redeliver`, { assetRef }),
    onSuccess: reread,
  })
}

export type DeliveryDecision =
  | { act: 'retry' | 'cancel' | 'confirm' | 'undo' }
  | { act: 'settle'; settlement: Settlement }

export function useDecideDelivery({ deliveryId }: Delivery) {
  const library = useLibrary()
  const reread = useRereadDeliveries()
  return useMutation({
    mutationFn: (decision: DeliveryDecision) =>
      api.post<Delivery>(
        `${deliveriesUrl(library)}/${deliveryId}/${decision.act}`,
        decision.act === 'settle' ? decision.settlement : undefined,
      ),
    // Also after a refusal: it is in another state than the one that was shown.
    onSettled: reread,
  })
}
