import { Button } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { useCopy } from '../ui/use-copy.ts'

/** The address that a program is given to work here. */
export function ConnectHint() {
  const t = useTranslations('agents')
  const address = `${location.origin}/mcp`
  const { copied, copy } = useCopy(address)
  return (
    <>
      <code>{address}</code>
      <Button variant="default" onClick={copy}>
        {t(copied ? 'copied' : 'copyAddress')}
      </Button>
    </>
  )
}
