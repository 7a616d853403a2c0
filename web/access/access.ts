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
import { api } from '../api.ts'
import { meQuery, spokenTo } from '../session.ts'

const keys = {
  users: ['users'],
  apiKeys: ['api-keys'],
}

export function useSignIn() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (login: Login) =>
      spokenTo(await api.post<Me>('/auth/login', login, { waitForSignIn: false })),
    onSuccess: (me) => client.setQueryData(meQuery.queryKey, me),
  })
}

/** What can be done before signing in. */
export const useSignInOptions = () =>
  useQuery({
    queryKey: ['sign-in-options'],
    queryFn: () => api.get<SignInOptions>('/auth/options', { waitForSignIn: false }),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const useInvite = () =>
  useMutation({ mutationFn: (userId: string) => api.post<Invitation>(`/admin/users/${userId}/invite`) })

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
    onSuccess: (changed) =>
      client.setQueryData<User[]>(keys.users, (users) =>
        users?.map((user) => (user.userId === changed.userId ? changed : user)),
      ),
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
