import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { FolderX } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useMe } from '../session.ts'
import { WholePage } from '../ui/whole-page.tsx'
import { AppBar } from './app-bar.tsx'

/** A link led to a library that this person may not see, or to the other frame. */
export function ForeignLibrary({ because }: { because: 'not-yours' | 'no-client' }) {
  const t = useTranslations('library')
  const me = useMe()
  const words = because === 'not-yours' ? 'foreign' : 'portalOnly'
  return (
    <>
      <AppBar title={t('title')} />
      <WholePage icon={<FolderX size={32} />} title={t(`${words}Title`)} text={t(`${words}Text`)}>
        {me?.clientId ? (
          <Button component={Link} to="/portal/assets">
            {t('toOwnLibrary')}
          </Button>
        ) : (
          <Button component={Link} to="/clients">
            {t('toClients')}
          </Button>
        )}
      </WholePage>
    </>
  )
}
