import { useTranslations } from 'use-intl'
import { answerers, type OutboundCode, type OutboundReason } from '../../contract/outbound-reasons.ts'
import type { ProblemCode } from '../../contract/problems.ts'
import { refusalCodes } from '../../contract/references.ts'
import { Problem } from '../api.ts'
import { useProblemText } from './problem-text.ts'

/** What is wrong with an address, as far as can be told. A vendor's address is nobody's to correct. */
const addressCodes: OutboundCode[] = [
  'name-not-found',
  'connection-refused',
  'unreachable',
  'answer-too-long',
]

/** Why another system did not do as asked, in the person's language; what it said of it, in its own words. */
export function useOutboundText() {
  const t = useTranslations('outbound')
  const refusals = useTranslations('problems.refusals')
  const problemText = useProblemText()

  return (error: string, reason: OutboundReason | null): string => {
    if (!reason) return t('reported', { text: error })
    const { code, values } = reason
    if (code === 'asset-not-usable') {
      const refusal = refusalCodes.find((one) => one === values.refusal)
      return refusal ? refusals(refusal) : t('reported', { text: error })
    }
    if (code === 'problem')
      return problemText(new Problem({ status: 1, code: values.problem as ProblemCode }))
    const who = answerers.find((one) => one === values.who) ?? 'system'
    const said = { host: values.host ?? '', status: values.status ?? '', who: t(`answerers.${who}`) }
    const isVendors = values.who && values.host && addressCodes.includes(code)
    const sentence = isVendors ? t('vendorUnreachable', said) : t(`reasons.${code}`, said)
    return values.said ? `${sentence} ${t('theySaid', { text: values.said })}` : sentence
  }
}
