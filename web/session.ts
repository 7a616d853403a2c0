import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Me, Permission } from '../contract/access.ts'
import { api, isProblem } from './api.ts'
import { chooseLanguage } from './words/words.tsx'

/** Who is signed in, or null. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async (): Promise<Me | null> => {
    try {
      return spokenTo(await api.get<Me>('/auth/me', { waitForSignIn: false }))
    } catch (error) {
      if (isProblem(error, 'unauthenticated')) return null
      throw error
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
})

/** The page speaks what the person chose, in whichever browser. */
export function spokenTo(me: Me): Me {
  if (me.language) chooseLanguage(me.language)
  return me
}

export const useMe = () => useQuery(meQuery).data ?? null

/** What a role may not do is not shown. */
export function useCan() {
  const me = useMe()
  return (permission: Permission) => me?.permissions.includes(permission) ?? false
}

/** Where a person belongs after signing in. */
export const homeOf = (me: Me) => (me.clientId ? '/portal/assets' : '/clients')

/** The door that somebody who signed in is led to. The address may be left from an operator who used this machine. */
export function doorOf(me: Me, to: string | undefined): string {
  const isOpen =
    !me.clientId ||
    to?.startsWith('/portal/') ||
    to?.startsWith(`/clients/${me.clientId}/assets`) ||
    to?.startsWith('/connect-agent?') ||
    to?.startsWith('/picker?')
  return to && isOpen ? to : homeOf(me)
}
