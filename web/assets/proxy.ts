import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Asset, ProxyProgress } from '../../contract/assets.ts'
import { api } from '../api.ts'
import { keys, showAsset } from '../library/cache.ts'
import { type Library, useLibrary } from '../library/library.tsx'

/** The copy of a film that every browser plays. */
export const proxyUrl = (library: Library, asset: Pick<Asset, 'assetId' | 'version'>) =>
  `${library.base}/${asset.assetId}/proxy?version=${asset.version}`

const everyMs = 2000

/** How much of it is made, while it is being made. */
export function useProxyPercent({ assetId, media }: Asset): number | null {
  const library = useLibrary()
  const { data } = useQuery({
    queryKey: keys.about(library, assetId, 'proxy'),
    queryFn: ({ signal }) => api.get<ProxyProgress>(`${library.base}/${assetId}/proxy/progress`, { signal }),
    enabled: media.proxy?.state === 'waiting',
    refetchInterval: everyMs,
    staleTime: 0,
  })
  return data?.percent ?? null
}

export function useMakeProxy() {
  const library = useLibrary()
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ assetId }: Asset) => api.post<Asset>(`${library.base}/${assetId}/proxy`),
    onSuccess: (asset) => showAsset(client, library, asset),
  })
}
