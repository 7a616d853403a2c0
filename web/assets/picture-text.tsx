import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Asset } from '../../contract/assets.ts'
import { usePictureText } from './assets.ts'
import { Section } from './section.tsx'
import './picture-text.css'

/** The words that were recognised in a picture; many of them are folded away. */
export function PictureText({ asset }: { asset: Asset }) {
  const t = useTranslations('details')
  const text = usePictureText(asset)
  const [isOpen, setOpen] = useState(false)
  if (!text) return null
  const isLong = text.length > 160 || text.split('\n').length > 4
  return (
    <Section title={t('pictureText')} hint={t('pictureTextHint')}>
      <p className={isLong && !isOpen ? 'picture-text picture-text-folded' : 'picture-text'}>{text}</p>
      {isLong && (
        <Button variant="subtle" size="compact-sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? t('pictureTextLess') : t('pictureTextAll')}
        </Button>
      )}
    </Section>
  )
}
