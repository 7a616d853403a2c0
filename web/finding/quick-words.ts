import { useTranslations } from 'use-intl'

/** What the quick filters are called, by their values. */
export function useQuickWords(): Record<string, string> {
  const t = useTranslations('library')
  const surfaces = useTranslations('surfaces')
  const review = useTranslations('review.states')
  return {
    image: t('images'),
    video: t('videos'),
    website: surfaces('website'),
    social: surfaces('social'),
    gbp: surfaces('gbp'),
    missing: t('noAltText'),
    pending: review('pending'),
    approved: review('approved'),
    'changes-requested': review('changes-requested'),
    ending: t('rightsEnding'),
    ended: t('rightsEnded'),
  }
}
