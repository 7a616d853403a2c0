import type { ProblemCode } from '../../contract/problems.ts'
import type { SecondStep } from '../../contract/second-factor.ts'

/** What the sign-in page is told by a way back from a provider that did not end inside. */
export interface SignOnReturn {
  refused?: ProblemCode
  provider?: string
}

const refusals = [
  'no-role',
  'no-account',
  'email-not-verified',
  'sign-in-over',
  'sign-in-declined',
  'sign-in-failed',
  'identity-taken',
  'in-use',
] as const satisfies ProblemCode[]

export function readSignOnReturn({ refused, provider }: Record<string, unknown>): SignOnReturn {
  const known = refusals.find((code) => code === refused)
  if (!known) return {}
  return { refused: known, ...(typeof provider === 'string' && { provider }) }
}

/** The step that the address carries, if it does: taken out of it, for it counts once. */
export function takeStep(): SecondStep | null {
  const [, carried] = /^#step=([\w-]+)$/.exec(window.location.hash) ?? []
  if (!carried) return null
  window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search)
  try {
    const bytes = Uint8Array.from(atob(carried.replace(/-/g, '+').replace(/_/g, '/')), (one) =>
      one.charCodeAt(0),
    )
    const step = JSON.parse(new TextDecoder().decode(bytes))
    return typeof step?.step === 'string' ? step : null
  } catch {
    return null
  }
}
