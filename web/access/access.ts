import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type {
  ApiKeys,
  ApiKeyWithSecret,
  Invitation,
  Login,
  Me,
  NewApiKey,
  NewUser,
  SignInOptions,
  User,
  UserChange,
  Users,
  UserWithPassword,
} from '../../contract/access.ts'
import type { PasskeySignInBegun, SecondStep } from '../../contract/second-factor.ts'
import { api } from '../api.ts'
import { meQuery, spokenTo } from '../session.ts'
import { passkeyAnswer } from './passkeys.ts'

const keys = {
  users: ['users'],
  apiKeys: ['api-keys'],
}

const atTheDoor = { waitForSignIn: false }

/** Every way in ends here. */
function useEntering<Wish>(mutationFn: (wish: Wish) => Promise<Me>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (wish: Wish) => spokenTo(await mutationFn(wish)),
    onSuccess: (me) => client.setQueryData(meQuery.queryKey, me),
  })
}

/** With the password. Who has a second factor is asked for it next. */
export function useSignIn() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (login: Login) => api.post<Me | SecondStep>('/auth/login', login, atTheDoor),
    onSuccess: (answer) => {
      if (!('step' in answer)) client.setQueryData(meQuery.queryKey, spokenTo(answer))
    },
  })
}

export const useSecondStep = ({ step, passkey }: SecondStep) =>
  useEntering(async (wish: { code: string } | 'passkey') => {
    const shown = wish === 'passkey' ? { passkey: await passkeyAnswer(passkey!) } : wish
    return api.post<Me>('/auth/second-factor', { step, ...shown }, atTheDoor)
  })

export const usePasskeySignIn = () =>
  useEntering(async (_: void) => {
    const { step, options } = await api.post<PasskeySignInBegun>(
      '/auth/passkeys/sign-in-options',
      undefined,
      atTheDoor,
    )
    return api.post<Me>('/auth/passkeys/sign-in', { step, passkey: await passkeyAnswer(options) }, atTheDoor)
  })

/** What can be done before signing in. */
export const useSignInOptions = () =>
  useQuery({
    queryKey: ['sign-in-options'],
    queryFn: () => api.get<SignInOptions>('/auth/options', { waitForSignIn: false }),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const useInvite = () =>
  useMutation({ mutationFn: (userId: string) => api.post<Invitation>(`/admin/users/${userId}/invite`) })

export function useResetSecondFactor() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (userId: string) => api.delete(`/admin/users/${userId}/second-factor`),
    // Not waited for: with the new list the button goes, and with it whoever says that it is done.
    onSuccess: () => void client.invalidateQueries({ queryKey: keys.users }),
  })
}

export const useUsers = () =>
  useQuery({ queryKey: keys.users, queryFn: async () => (await api.get<Users>('/admin/users')).users })

export function useCreateUser() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (wish: NewUser) => api.post<UserWithPassword>('/admin/users', wish),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.users }),
  })
}

export function useChangeUser() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ userId, ...change }: UserChange & { userId: string }) =>
      api.patch<User>(`/admin/users/${userId}`, change),
    scope: { id: 'users' },
    onSuccess: (changed) =>
      client.setQueryData<User[]>(keys.users, (users) =>
        users?.map((user) => (user.userId === changed.userId ? changed : user)),
      ),
  })
}

export function useDeleteUser() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (userId: string) => api.delete(`/admin/users/${userId}`),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.users }),
  })
}

export const useApiKeys = () =>
  useQuery({
    queryKey: keys.apiKeys,
    queryFn: async () => (await api.get<ApiKeys>('/admin/api-keys')).apiKeys,
  })

export function useCreateApiKey() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (wish: NewApiKey) => api.post<ApiKeyWithSecret>('/admin/api-keys', wish),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.apiKeys }),
  })
}

export function useDeleteApiKey() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (keyId: string) => api.delete(`/admin/api-keys/${keyId}`),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.apiKeys }),
  })
}
