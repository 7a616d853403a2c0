import { useTranslations } from 'use-intl'
import type { Fit } from '../../contract/assets.ts'

/** That people have to be told where it is shown that it was made by AI, and whether that is seen to. */
export function useDisclosureWords() {
  const t = useTranslations('disclosure')
  return (fit: Fit | undefined): string | undefined => {
    if (!fit || fit.disclosure === 'none' || fit.verdict === 'refused') return undefined
    return fit.disclosureField?.isSet ? t('labelled') : t(fit.disclosure)
  }
}
