import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { connectionKinds } from '../../contract/connection-kinds.ts'
import type { Connection, Connections } from '../../contract/deliveries.ts'
import type { SignInBegun, SignInOffer, SignInProvider, SignInReturn } from '../../contract/sign-in.ts'
import { api } from '../api.ts'
import { keys } from '../library/cache.ts'
import { useLibrary } from '../library/library.tsx'

/** Whom people can sign in with here, and what has to be set for the others. */
export function useSignInOffers() {
  const library = useLibrary()
  return useQuery({
    queryKey: [...keys.connections(library), 'sign-in'],
    queryFn: async ({ signal }) =>
      (await api.get<Connections>(`/admin/clients/${library.clientId}/connections`, { signal })).signIn,
    staleTime: Infinity,
  })
}

export const offerFor = (offers: SignInOffer[] | undefined, kind: Connection['kind']) =>
  offers?.find(({ provider }) => provider === connectionKinds[kind].provider)

/** What has to be set before people can sign in there; undefined where nothing has. */
export function useSignInMissing() {
  const t = useTranslations('connections')
  return (offer: SignInOffer | undefined): string | undefined =>
    offer && !offer.ready
      ? t('signInMissing', {
          provider: t(`providers.${offer.provider}`),
          missing: offer.missing.join(', '),
          url: offer.redirectUrl,
        })
      : undefined
}

export const needsSignIn = ({ lastErrorReason }: Connection) => lastErrorReason?.code === 'sign-in-needed'

/** Leaves for the vendor; it sends the person back to the page that finishes. */
export function useBeginSignIn() {
  const library = useLibrary()
  return useMutation({
    mutationFn: ({ connectionId }: Connection) =>
      api.post<SignInBegun>(`/admin/clients/${library.clientId}/connections/${connectionId}/sign-in`),
    onSuccess: ({ authorizationUrl }) => location.assign(authorizationUrl),
  })
}

export const useFinishSignIn = () =>
  useMutation({
    mutationFn: (returned: SignInReturn) => api.post<Connection>('/admin/connections/sign-in', returned),
  })

/** What the vendor wrote into the address. Without a state it can be nothing that was begun here. */
export function returnedIn(address: string, provider: SignInProvider): SignInReturn {
  const said = new URLSearchParams(address)
  const { code, iss, error, state = '-' } = Object.fromEntries(said)
  return { provider, state, code, iss, error }
}
