import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type {
  ChangedMe,
  EndedSessions,
  LinkFollowed,
  Me,
  MeChange,
  NewPassword,
  PasswordChange,
  Sessions,
} from '../../contract/access.ts'
import type { Language } from '../../contract/words.ts'
import { api } from '../api.ts'
import { meQuery } from '../session.ts'
import { chooseLanguage } from '../words/words.tsx'

const keys = { sessions: ['sessions'] }
const atTheDoor = { waitForSignIn: false }

export function useChangeMe() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (change: MeChange) => api.patch<ChangedMe>('/auth/me', change),
    onSuccess: ({ emailToConfirm: _, ...me }) => {
      client.setQueryData(meQuery.queryKey, me)
      if (me.language) chooseLanguage(me.language)
    },
  })
}

/** The page speaks it at once; the account remembers it for the other browsers of this person. */
export function useChooseLanguage() {
  const change = useChangeMe()
  return (language: Language) => {
    chooseLanguage(language)
    change.mutate({ language })
  }
}

export function useChangePassword() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (change: PasswordChange) => api.post<Me>('/auth/password', change),
    onSuccess: (me) => {
      client.setQueryData(meQuery.queryKey, me)
      return client.invalidateQueries({ queryKey: keys.sessions })
    },
  })
}

export const useSessions = () =>
  useQuery({
    queryKey: keys.sessions,
    queryFn: async () => (await api.get<Sessions>('/auth/sessions')).sessions,
    // One may have been opened elsewhere.
    refetchOnMount: 'always',
  })

export function useEndSession() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (sessionId: string) => api.delete(`/auth/sessions/${sessionId}`),
    onSettled: () => client.invalidateQueries({ queryKey: keys.sessions }),
  })
}

export function useEndOtherSessions() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api.delete<EndedSessions>('/auth/sessions'),
    onSettled: () => client.invalidateQueries({ queryKey: keys.sessions }),
  })
}

export const useForgot = () =>
  useMutation({ mutationFn: (email: string) => api.post('/auth/forgot', { email }, atTheDoor) })

export const useChoosePassword = (purpose: 'reset' | 'accept-invitation') =>
  useMutation({
    mutationFn: (wish: NewPassword) => api.post<LinkFollowed>(`/auth/${purpose}`, wish, atTheDoor),
  })

export const useConfirmEmail = () =>
  useMutation({
    mutationFn: (token: string) => api.post<LinkFollowed>('/auth/confirm-email', { token }, atTheDoor),
  })
