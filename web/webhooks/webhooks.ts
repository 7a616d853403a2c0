import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type {
  NewWebhook,
  Replay,
  Resend,
  RotateSecret,
  Webhook,
  WebhookAttempts,
  WebhookChange,
  Webhooks,
  WebhookTest,
  WebhookWithSecret,
} from '../../contract/webhooks.ts'
import { api, query } from '../api.ts'
import { newKey } from '../new-key.ts'

const url = '/admin/webhooks'
const key = ['webhooks']

export const useWebhooks = () =>
  useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => (await api.get<Webhooks>(url, { signal })).webhooks,
    // Whether they get through changes without anybody here doing something.
    staleTime: 0,
    refetchInterval: 15_000,
  })

export function useCreateWebhook() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (wish: NewWebhook) => api.post<WebhookWithSecret>(url, wish, { idempotencyKey: newKey() }),
    onSuccess: () => client.invalidateQueries({ queryKey: key }),
  })
}

export function useChangeWebhook() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ webhookId, ...change }: WebhookChange & { webhookId: string }) =>
      api.patch<Webhook>(`${url}/${webhookId}`, change),
    scope: { id: 'webhooks' },
    onSuccess: (changed) =>
      client.setQueryData<Webhook[]>(key, (all) =>
        all?.map((one) => (one.webhookId === changed.webhookId ? changed : one)),
      ),
  })
}

export function useDeleteWebhook() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (webhookId: string) => api.delete(`${url}/${webhookId}`),
    onSuccess: () => client.invalidateQueries({ queryKey: key }),
  })
}

export function useTestWebhook() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (webhookId: string) => api.post<WebhookTest>(`${url}/${webhookId}/test`),
    onSettled: () => client.invalidateQueries({ queryKey: key }),
  })
}

export const useAttempts = (webhookId: string, failed: boolean) =>
  useInfiniteQuery({
    queryKey: [...key, webhookId, 'attempts', failed],
    queryFn: ({ pageParam, signal }) =>
      api.get<WebhookAttempts>(
        `${url}/${webhookId}/attempts${query({ failed: failed || undefined, cursor: pageParam })}`,
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    // Whoever looks wants to see what has just happened.
    staleTime: 0,
  })

/** One event, now. */
export function useResend(webhookId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (wish: Resend) => api.post<WebhookTest>(`${url}/${webhookId}/resend`, wish),
    onSettled: () => client.invalidateQueries({ queryKey: key }),
  })
}

export function useRotateSecret(webhookId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (wish: RotateSecret) =>
      api.post<WebhookWithSecret>(`${url}/${webhookId}/rotate-secret`, wish, { idempotencyKey: newKey() }),
    onSuccess: () => client.invalidateQueries({ queryKey: key }),
  })
}

export const useReplay = (webhookId: string) =>
  useMutation({ mutationFn: (wish: Replay) => api.post<Webhook>(`${url}/${webhookId}/replay`, wish) })
