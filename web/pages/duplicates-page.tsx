import { Button } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Copy } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Asset } from '../../contract/assets.ts'
import { type DuplicateKind, duplicateKinds } from '../../contract/duplicates.ts'
import { Group } from '../duplicates/duplicate-group.tsx'
import { type Keeping, stillThere, useDuplicates } from '../duplicates/duplicates.ts'
import { KeepDialog } from '../duplicates/keep-dialog.tsx'
import { Kept } from '../duplicates/kept-group.tsx'
import { useKeptCount, useKeptGroups } from '../duplicates/kept-groups.ts'
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
  const navigate = useNavigate()
  const { kind = duplicateKinds[0] } = useSearch({ strict: false }) as { kind?: DuplicateKind | 'kept' }
  const kept = useKeptCount() ?? 0
  const kinds = [...duplicateKinds, ...(kept > 0 || kind === 'kept' ? ['kept' as const] : [])]
  useUndoKey()
  return (
    <>
      <fieldset className="duplicate-kinds" aria-label={t('kinds')}>
        {kinds.map((each) => (
          <Button
            key={each}
            size="xs"
            variant={each === kind ? 'filled' : 'default'}
            aria-pressed={each === kind}
            onClick={() => void navigate({ search: { kind: each }, replace: true } as never)}
          >
            {each === 'kept' ? t('keptKind', { count: kept }) : t(each)}
          </Button>
        ))}
      </fieldset>
      {kind === 'kept' ? <KeptGroups /> : <Groups kind={kind} hasKept={kept > 0} />}
    </>
  )
}

/** Which is to be kept, of the group at a place. */
interface Asked {
  keeping: Keeping
  at: number
  keep(some: Asset[]): void
}

function Groups({ kind, hasKept }: { kind: DuplicateKind; hasKept: boolean }) {
  const t = useTranslations('duplicates')
  const { list, groups, isLooking } = useDuplicates(kind)
  // Not in the group: what others decide takes that away.
  const [asked, setAsked] = useState<Asked | null>(null)
  const others = asked ? stillThere(asked.keeping, groups ?? []) : []
  const leave = useNextFocus(groups?.length ?? 0, isLooking || asked !== null)
  const { where, show } = usePlaces()
  return (
    <>
      <LoadState query={list} />
      {groups?.length === 0 && !isLooking && (
        <Nothing
          icon={<Copy size={28} />}
          title={t('none')}
          text={t(hasKept ? 'noneButKept' : `${kind}None`)}
        />
      )}
      {groups && groups.length > 0 && (
        <ul className="cards">
          {groups.map((group, at) => (
            <Group
              key={group.duplicates[0]!.asset.assetId}
              group={group}
              onAsk={(keeping, keep) => setAsked({ keeping, at, keep })}
              onKept={() => leave(at)}
              where={where}
              onShow={({ asset }) => show(asset)}
            />
          ))}
        </ul>
      )}
      {isLooking && !list.isPending && <p role="status">{t('looking')}</p>}
      {!isLooking && <ShowMore list={list} />}
      {asked && (
        <KeepDialog
          keeping={asked.keeping}
          others={others}
          onlyLooks={kind === 'near'}
          where={where}
          onKeep={(some) => {
            setAsked(null)
            asked.keep(some)
          }}
          onClose={() => {
            leave(asked.at, asked.keeping.keep.assetId)
            setAsked(null)
          }}
        />
      )}
    </>
  )
}

function KeptGroups() {
  const t = useTranslations('duplicates')
  const { list, groups } = useKeptGroups()
  const leave = useNextFocus(groups?.length ?? 0, list.isPending)
  const { where, show } = usePlaces()
  return (
    <>
      <LoadState query={list} />
      {groups?.length === 0 && (
        <Nothing icon={<Copy size={28} />} title={t('keptNone')} text={t('keptNoneText')} />
      )}
      {groups && groups.length > 0 && (
        <ul className="cards">
          {groups.map((group, at) => (
            <Kept
              key={group.keptGroupId}
              group={group}
              onReopened={() => leave(at)}
              where={where}
              onShow={show}
            />
          ))}
        </ul>
      )}
      <ShowMore list={list} />
    </>
  )
}

/** Where assets lie, and the way there. */
function usePlaces() {
  const words = useTranslations('library')
  const tree = useFolderTree()
  const { frame, clientId } = useLibrary()
  const navigate = useNavigate()
  return {
    where: (folderId: string | null) =>
      [words('root'), ...tree.path(folderId).map(({ name }) => name)].join(' / '),
    show: ({ assetId, folderId }: Asset) =>
      void navigate({
        to: frame === 'admin' ? '/clients/$clientId/assets' : '/portal/assets',
        params: { clientId },
        search: { asset: assetId, folder: folderId ?? undefined },
      } as never),
  }
}

/**
 * A group that goes takes the focus with it: the one in its place has it next, or else the last, or the choice above. What
 * was asked about, and is still there, has it before them.
 */
function useNextFocus(count: number, isLooking: boolean) {
  const left = useRef<{ at: number; asked: string | undefined } | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks again whenever one has gone
  useEffect(() => {
    if (left.current === null || isLooking) return
    const headings = document.querySelectorAll<HTMLElement>('.duplicate-group h3')
    const { at, asked } = left.current
    const next =
      (asked && document.querySelector<HTMLElement>(`[data-keeps="${asked}"]`)) ||
      headings[Math.min(at, headings.length - 1)]
    left.current = null
    if (document.activeElement !== document.body) return
    ;(next ?? document.querySelector<HTMLElement>('.duplicate-kinds [aria-pressed=true]'))?.focus()
  }, [count, isLooking])
  return (at: number, asked?: string) => {
    left.current = { at, asked }
  }
}
