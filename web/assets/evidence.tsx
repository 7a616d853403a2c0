import { TriangleAlert } from 'lucide-react'
import { useTranslations } from 'use-intl'
import type { Asset } from '../../contract/assets.ts'

/** What the file itself says of how it came about and whose it is, beside what people say. */
export function EvidenceFacts({ asset: { evidence } }: { asset: Asset }) {
  const t = useTranslations('evidence')
  if (!evidence) return null
  const { says, c2pa, generator, digitalSourceType, signature, credit, copyright, contradicts } = evidence
  const signer = c2pa?.signer ?? t('nobody')
  return (
    <>
      <dl className="facts rights">
        {(says || digitalSourceType) && (
          <div>
            <dt>{t('says')}</dt>
            <dd>
              {says ? t(`origins.${says}`) : digitalSourceType}
              {says && (generator ?? digitalSourceType) && (
                <small className="rights-said">{generator ?? digitalSourceType}</small>
              )}
            </dd>
          </div>
        )}
        {signature && signature !== 'broken' && (
          <div>
            <dt>{t('signature')}</dt>
            <dd>{t(`signatures.${signature}`, { signer })}</dd>
          </div>
        )}
        {credit && (
          <div>
            <dt>{t('credit')}</dt>
            <dd>{credit}</dd>
          </div>
        )}
        {copyright && (
          <div>
            <dt>{t('copyright')}</dt>
            <dd>{copyright}</dd>
          </div>
        )}
      </dl>
      {signature === 'broken' && (
        <p className="details-nudge details-bad">
          <TriangleAlert size={16} aria-hidden /> {t('signatures.broken', { signer })}
        </p>
      )}
      {contradicts && (
        <p className="details-nudge">
          <TriangleAlert size={16} aria-hidden /> {t('contradicts')}
        </p>
      )}
    </>
  )
}

export const saysSomething = ({ evidence }: Asset) =>
  evidence !== null && Object.values(evidence).some((value) => typeof value !== 'boolean' && value !== null)
