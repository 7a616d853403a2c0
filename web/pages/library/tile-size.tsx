import { useLocalStorage } from '@mantine/hooks'
import { useTranslations } from 'use-intl'

const smallest = 140
const largest = 400
const usual = 208

/** How wide tiles are at least, remembered. */
export function useTileSize() {
  return useLocalStorage({
    key: 'asset-library:tile',
    defaultValue: usual,
    getInitialValueInEffect: false,
    deserialize: (remembered) => Math.min(largest, Math.max(smallest, Number(remembered) || usual)),
  })
}

export function TileSize({ size, onSize }: { size: number; onSize(size: number): void }) {
  const t = useTranslations('library')
  return (
    <input
      type="range"
      className="tile-size"
      min={smallest}
      max={largest}
      step={4}
      value={size}
      aria-label={t('tileSize')}
      title={t('tileSize')}
      onChange={(event) => onSize(event.target.valueAsNumber)}
    />
  )
}
