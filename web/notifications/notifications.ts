import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type {
  NotificationPage,
  NotificationSettings,
  NotificationSettingsChange,
  ReadNotifications,
  UnreadNotifications,
} from '../../contract/notifications.ts'
import { api, query } from '../api.ts'
import { useMe } from '../session.ts'

const keys = { list: ['notifications'], settings: ['notification-settings'] }
const minute = 60_000

/** What the person is told of, the newest first; looked for again every minute. */
export function useNotifications() {
  const me = useMe()
  return useInfiniteQuery({
    queryKey: keys.list,
    queryFn: ({ pageParam, signal }) =>
      api.get<NotificationPage>(`/notifications${query({ limit: 20, cursor: pageParam })}`, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    enabled: me !== null && !me.pending,
    staleTime: minute / 2,
    refetchInterval: minute,
  })
}

export function useMarkRead() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (which: ReadNotifications) => api.post<UnreadNotifications>('/notifications/read', which),
    onSettled: () => client.invalidateQueries({ queryKey: keys.list }),
  })
}

export const useNotificationSettings = () =>
  useQuery({
    queryKey: keys.settings,
    queryFn: () => api.get<NotificationSettings>('/notifications/settings'),
  })

export function useChangeNotificationSettings() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (change: NotificationSettingsChange) =>
      api.patch<NotificationSettings>('/notifications/settings', change),
    scope: { id: 'notification settings' },
    onSuccess: (settings) => client.setQueryData(keys.settings, settings),
  })
}
