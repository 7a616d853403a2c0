import { useQuery } from '@tanstack/react-query'
import type { UploadLimits } from '../../contract/uploads.ts'
import { api } from '../api.ts'
import { useLibrary } from './library.tsx'

/** How long the trash keeps what was deleted; null until it is known. */
export function useTrashDays(): number | null {
  const { base } = useLibrary()
  const limits = useQuery({
    queryKey: ['upload-limits', base],
    queryFn: ({ signal }) => api.get<UploadLimits>(`${base}/upload-limits`, { signal }),
  })
  return limits.data?.trashDays ?? null
}
