import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import type { SignInProvider } from '../../contract/sign-in.ts'
import { Problem } from '../api.ts'
import { returnedIn, useFinishSignIn } from '../deliveries/sign-in.ts'
import { toast } from '../ui/toast.tsx'
import { WholePage } from '../ui/whole-page.tsx'
import { useOutboundText } from '../words/outbound-text.ts'
import { useProblemText } from '../words/problem-text.ts'

/** Where a vendor sends people back to. It stays only until it is known what came of it. */
export function SignInReturnPage() {
  const { provider } = useParams({ strict: false }) as { provider: SignInProvider }
  const t = useTranslations('connections')
  const problemText = useProblemText()
  const outbound = useOutboundText()
  const navigate = useNavigate()
  const finish = useFinishSignIn()
  const isBegun = useRef(false)

  useEffect(() => {
    if (isBegun.current) return
    isBegun.current = true
    // What came counts once, so nobody comes back to this address.
    const leave = (clientId: unknown) =>
      typeof clientId === 'string'
        ? navigate({ to: '/clients/$clientId/connections', params: { clientId }, replace: true })
        : navigate({ to: '/', replace: true })
    finish.mutate(returnedIn(location.search, provider), {
      onSuccess: ({ clientId, name, status, lastError, lastErrorReason }) => {
        if (status === 'connected') toast({ text: t('tested', { name }) })
        else
          toast({
            text: t('testFailed', { name, reason: lastError ? outbound(lastError, lastErrorReason) : '' }),
            bad: true,
          })
        leave(clientId)
      },
      onError: (error) => {
        toast({ text: problemText(error), bad: true })
        leave(error instanceof Problem ? error.params.clientId : undefined)
      },
    })
  })

  return <WholePage title={t('signingIn')} />
}
