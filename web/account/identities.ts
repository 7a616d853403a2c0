import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Identities, IdentityLinkBegun } from '../../contract/access.ts'
import type { Proof } from '../../contract/second-factor.ts'
import { api } from '../api.ts'

const key = ['identities']

export type Identity = Identities['identities'][number]
type Wish = Proof & { provider: string }

export const useIdentities = () =>
  useQuery({
    queryKey: key,
    queryFn: async () => (await api.get<Identities>('/auth/identities')).identities,
    // The way to a provider and back leads out of the app.
    refetchOnMount: 'always',
  })

export const useLinkIdentity = () =>
  useMutation({
    mutationFn: ({ provider, ...proof }: Wish) =>
      api.post<IdentityLinkBegun>(`/auth/identities/${provider}`, proof),
  })

export function useUnlinkIdentity() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ provider, ...proof }: Wish) => api.delete(`/auth/identities/${provider}`, proof),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['sessions'] })
      return client.invalidateQueries({ queryKey: key })
    },
  })
}
