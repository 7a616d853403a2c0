import { Button } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Copy } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { type DuplicateKind, duplicateKinds } from '../../contract/duplicates.ts'
import { Group } from '../duplicates/duplicate-group.tsx'
import { useDuplicates } from '../duplicates/duplicates.ts'
import { useFolderTree } from '../folders/folders.ts'
import { useLibrary } from '../library/library.tsx'
import { useUndoKey } from '../library/undo-key.ts'
import { LoadState, Nothing } from '../ui/list-notes.tsx'
import { ShowMore } from '../ui/show-more.tsx'
import { ClientFrame, OfClient, OfPortal, PortalFrame } from './client-frame.tsx'
import '../duplicates/duplicates.css'
import '../ui/cards.css'

/** What one client has more than once. */
export function AdminDuplicatesPage() {
  const t = useTranslations('duplicates')
  const library = useTranslations('library')
  return (
    <OfClient>
      {(client) => (
        <ClientFrame client={client} title={library('duplicates')} lead={t('lead')} needs="assets:read">
          <Duplicates />
        </ClientFrame>
      )}
    </OfClient>
  )
}

/** The same for the client's own people. */
export function PortalDuplicatesPage() {
  const t = useTranslations('duplicates')
  const library = useTranslations('library')
  return (
    <OfPortal>
      <PortalFrame title={library('duplicates')} lead={t('lead')} needs="assets:read">
        <Duplicates />
      </PortalFrame>
    </OfPortal>
  )
}

function Duplicates() {
  const t = useTranslations('duplicates')
  const library = useTranslations('library')
  const tree = useFolderTree()
  const { frame, clientId } = useLibrary()
  const navigate = useNavigate()
  const { kind = duplicateKinds[0] } = useSearch({ strict: false }) as { kind?: DuplicateKind }
  const { list, groups, isLooking } = useDuplicates(kind)
  const leave = useNextFocus(isLooking)
  useUndoKey()
  return (
    <>
      <fieldset className="duplicate-kinds" aria-label={t('kinds')}>
        {duplicateKinds.map((each) => (
          <Button
            key={each}
            size="xs"
            variant={each === kind ? 'filled' : 'default'}
            aria-pressed={each === kind}
            onClick={() => void navigate({ search: { kind: each }, replace: true } as never)}
          >
            {t(each)}
          </Button>
        ))}
      </fieldset>
      <LoadState query={list} />
      {groups?.length === 0 && !isLooking && (
        <Nothing icon={<Copy size={28} />} title={t('none')} text={t(`${kind}None`)} />
      )}
      {groups && groups.length > 0 && (
        <ul className="cards">
          {groups.map((group, at) => (
            <Group
              key={group.duplicates[0]!.asset.assetId}
              group={group}
              onKept={() => leave(at)}
              where={(folderId) =>
                [library('root'), ...tree.path(folderId).map(({ name }) => name)].join(' / ')
              }
              onShow={({ asset: { assetId, folderId } }) =>
                void navigate({
                  to: frame === 'admin' ? '/clients/$clientId/assets' : '/portal/assets',
                  params: { clientId },
                  search: { asset: assetId, folder: folderId ?? undefined },
                } as never)
              }
            />
          ))}
        </ul>
      )}
      {isLooking && !list.isPending && <p role="status">{t('looking')}</p>}
      {!isLooking && <ShowMore list={list} />}
    </>
  )
}

/** A group that goes takes the focus with it: the one in its place has it next, or else the last, or the choice above. */
function useNextFocus(isLooking: boolean) {
  const left = useRef<number | null>(null)
  useEffect(() => {
    if (left.current === null || isLooking) return
    const headings = document.querySelectorAll<HTMLElement>('.duplicate-group h3')
    const next = headings[Math.min(left.current, headings.length - 1)]
    left.current = null
    if (document.activeElement !== document.body) return
    ;(next ?? document.querySelector<HTMLElement>('.duplicate-kinds [aria-pressed=true]'))?.focus()
  }, [isLooking])
  return (at: number) => {
    left.current = at
  }
}
