import { useTranslations } from 'use-intl'
import type { Surface } from '../../contract/words.ts'
import './surface-choice.css'

const order = ['website', 'social', 'gbp'] as const satisfies Surface[]

/** Where an asset may be used: everywhere, or only where ticked. */
export function SurfaceChoice({
  value,
  readOnly,
  onChange,
}: {
  value: Surface[]
  readOnly?: boolean
  onChange(surfaces: Surface[]): void
}) {
  const t = useTranslations('surfaces')
  if (readOnly)
    return (
      <span className="badges">
        {(value.length ? value : (['all'] as const)).map((surface) => (
          <span key={surface} className="badge">
            {t(surface)}
          </span>
        ))}
      </span>
    )
  return (
    <div className="surface-choice">
      <label>
        {/* Off, it leaves each of them ticked, to be taken away one by one. */}
        <input
          type="checkbox"
          checked={value.length === 0}
          onChange={(event) => onChange(event.target.checked ? [] : [...order])}
        />
        {t('all')}
      </label>
      {order.map((surface) => (
        <label key={surface}>
          <input
            type="checkbox"
            checked={value.includes(surface)}
            onChange={(event) =>
              onChange(
                order.filter((each) => (each === surface ? event.target.checked : value.includes(each))),
              )
            }
          />
          {t(surface)}
        </label>
      ))}
    </div>
  )
}
