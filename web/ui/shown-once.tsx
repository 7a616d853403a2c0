import { Button, Stack } from '@mantine/core'
import { Check, Copy, TriangleAlert } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useCopy } from './use-copy.ts'
import './shown-once.css'

/** A secret that cannot be shown again. */
export function ShownOnce({ text, secret, onDone }: { text: string; secret: string; onDone(): void }) {
  const t = useTranslations('access')
  const words = useTranslations('app')
  const { copied, copy } = useCopy(secret)
  return (
    <Stack gap={14}>
      <p className="secret-text">{text}</p>
      <div className="secret">
        <code>{secret}</code>
        <Button
          // biome-ignore lint/a11y/noAutofocus: what was pressed to make it is gone
          autoFocus
          onClick={copy}
          size="sm"
          variant={copied ? 'light' : 'filled'}
          leftSection={copied ? <Check size={16} /> : <Copy size={16} />}
        >
          {copied ? words('copied') : words('copy')}
        </Button>
      </div>
      <p className="secret-once">
        <TriangleAlert size={16} aria-hidden />
        {t('secretOnce')}
      </p>
      <Button variant="default" onClick={onDone}>
        {t('done')}
      </Button>
    </Stack>
  )
}
