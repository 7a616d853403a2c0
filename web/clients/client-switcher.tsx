import { ActionIcon, Popover } from '@mantine/core'
import { ChevronsUpDown } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useCan } from '../session.ts'
import { partOf } from '../ui/part.ts'
import './client-switcher.css'

const OtherClients = partOf(() => import('./other-clients.tsx'), 'OtherClients')

/** From one client's library straight to another's: those opened last, or those found by name. */
export function ClientSwitcher({ clientId }: { clientId: string }) {
  const t = useTranslations('access.clients')
  const can = useCan()
  const [open, setOpen] = useState(false)
  if (!can('clients:read')) return null
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      position="bottom-start"
      width={288}
      trapFocus
      returnFocus
      shadow="md"
    >
      <Popover.Target>
        <ActionIcon size={32} onClick={() => setOpen(!open)} aria-label={t('switch')} aria-expanded={open}>
          <ChevronsUpDown size={16} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown className="client-switcher" aria-label={t('switch')}>
        <Suspense>{open && <OtherClients clientId={clientId} onChosen={() => setOpen(false)} />}</Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
