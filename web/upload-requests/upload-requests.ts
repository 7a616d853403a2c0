import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type {
  Acceptance,
  Decided,
  Declining,
  NewUploadRequest,
  UploadRequest,
  UploadRequestPage,
  UploadRequestWithUrl,
  WaitingFile,
  WaitingRoom,
} from '../../contract/upload-requests.ts'
import { api, query as inUrl } from '../api.ts'
import { keys } from '../library/cache.ts'
import { type Library, useLibrary } from '../library/library.tsx'
import { newKey } from '../new-key.ts'

const beside = ({ base }: Library, name: string) => base.replace(/assets$/, name)

const paged = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }: { nextCursor: string | null }) => nextCursor ?? undefined,
  // Time passes without anybody doing anything.
  staleTime: 0,
}

export function useUploadRequests() {
  const library = useLibrary()
  return useInfiniteQuery({
    queryKey: keys.uploadRequests(library),
    queryFn: ({ pageParam, signal }) =>
      api.get<UploadRequestPage>(
        `${beside(library, 'upload-requests')}${inUrl({ limit: 20, cursor: pageParam })}`,
        { signal },
      ),
    ...paged,
  })
}

export function useWaitingRoom() {
  const library = useLibrary()
  return useInfiniteQuery({
    queryKey: keys.waitingRoom(library),
    queryFn: ({ pageParam, signal }) =>
      api.get<WaitingRoom>(`${beside(library, 'waiting-room')}${inUrl({ limit: 60, cursor: pageParam })}`, {
        signal,
      }),
    ...paged,
  })
}

/** How many files of guests wait; nothing for those who do not decide on them. */
export function useWaitingCount(): number {
  const library = useLibrary()
  const { data } = useQuery({
    queryKey: [...keys.waitingRoom(library), 'count'],
    queryFn: ({ signal }) =>
      api.get<WaitingRoom>(`${beside(library, 'waiting-room')}${inUrl({ limit: 1 })}`, { signal }),
    enabled: library.can('shares:write'),
  })
  return data?.waitingFiles ?? 0
}

const ofWaiting = (library: Library, { uploadSessionId }: WaitingFile, what: string) =>
  `${beside(library, 'waiting-room')}/${uploadSessionId}/${what}`
export const waitingPreviewUrl = (library: Library, file: WaitingFile) => ofWaiting(library, file, 'preview')
export const waitingFilmUrl = (library: Library, file: WaitingFile) => ofWaiting(library, file, 'film')

function useReread() {
  const library = useLibrary()
  const client = useQueryClient()
  return () =>
    Promise.all(
      [keys.uploadRequests(library), keys.waitingRoom(library)].map((queryKey) =>
        client.invalidateQueries({ queryKey }),
      ),
    )
}

export function useCreateUploadRequest() {
  const library = useLibrary()
  return useMutation({
    mutationFn: (wish: NewUploadRequest) =>
      api.post<UploadRequestWithUrl>(beside(library, 'upload-requests'), wish, { idempotencyKey: newKey() }),
    onSuccess: useReread(),
  })
}

export function useRevokeUploadRequest() {
  const library = useLibrary()
  return useMutation({
    mutationFn: ({ uploadRequestId }: UploadRequest) =>
      api.delete(`${beside(library, 'upload-requests')}/${uploadRequestId}`),
    onSettled: useReread(),
  })
}

export type Decision = { how: 'accept'; wish: Acceptance } | { how: 'decline'; wish: Declining }

/** Accepts or declines; what could not be decided on is answered one by one. */
export function useDecide() {
  const library = useLibrary()
  return useMutation({
    mutationFn: ({ how, wish }: Decision) =>
      api.post<Decided>(`${beside(library, 'waiting-room')}/${how}`, wish),
    onSettled: useReread(),
  })
}
