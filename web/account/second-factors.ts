import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type {
  AddedPasskey,
  NewPasskeyBegun,
  Proof,
  RecoveryCodes,
  SecondFactors,
  TotpBegun,
} from '../../contract/second-factor.ts'
import { newPasskey } from '../access/passkeys.ts'
import { api } from '../api.ts'
import { meQuery } from '../session.ts'

const key = ['second-factors']

export const useSecondFactors = () =>
  useQuery({ queryKey: key, queryFn: () => api.get<SecondFactors>('/auth/second-factor') })

/** What was pending may be done with it, so who somebody is is asked anew, too. */
function useFactorMutation<Wish, Result>(mutationFn: (wish: Wish) => Promise<Result>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: meQuery.queryKey })
      void client.invalidateQueries({ queryKey: ['sessions'] })
      void client.invalidateQueries({ queryKey: key })
    },
  })
}

export const useBeginTotp = () =>
  useMutation({ mutationFn: (proof: Proof) => api.post<TotpBegun>('/auth/totp', proof) })

export const useConfirmTotp = () =>
  useFactorMutation((code: string) => api.post<RecoveryCodes>('/auth/totp/confirm', { code }))

export const useRemoveTotp = () => useFactorMutation((proof: Proof) => api.delete('/auth/totp', proof))

export const useNewRecoveryCodes = () =>
  useFactorMutation((proof: Proof) => api.post<RecoveryCodes>('/auth/recovery-codes', proof))

export const useAddPasskey = () =>
  useFactorMutation(async ({ name, ...proof }: Proof & { name: string }) => {
    const { step, options } = await api.post<NewPasskeyBegun>('/auth/passkeys/options', proof)
    return api.post<AddedPasskey>('/auth/passkeys', { step, name, ...(await newPasskey(options)) })
  })

export const useRemovePasskey = () =>
  useFactorMutation(({ passkeyId, ...proof }: Proof & { passkeyId: string }) =>
    api.delete(`/auth/passkeys/${passkeyId}`, proof),
  )
