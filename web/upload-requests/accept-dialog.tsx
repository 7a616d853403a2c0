import { Input, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Acceptance } from '../../contract/upload-requests.ts'
import type { Surface } from '../../contract/words.ts'
import { SurfaceChoice } from '../assets/surface-choice.tsx'
import { useFolderTree } from '../folders/folders.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { DecidedFiles } from './decided-files.tsx'

const asAsked = 'asked'
const top = 'top'

/** Where accepted files go, and where they may be used. */
export function AcceptDialog({
  names,
  askedFor,
  busy,
  onAccept,
  onClose,
}: {
  /** What it is about. */
  names: string[]
  /** The folders they were asked for. */
  askedFor: ReadonlySet<string | null>
  busy: boolean
  onAccept(wish: Omit<Acceptance, 'uploadSessionIds'>): void
  onClose(): void
}) {
  const t = useTranslations('uploadRequests')
  const count = names.length
  const tree = useFolderTree()
  const [folder, setFolder] = useState(asAsked)
  const [surfaces, setSurfaces] = useState<Surface[]>([])
  const pathTo = (folderId: string) =>
    tree
      .path(folderId)
      .map(({ name }) => name)
      .join(' / ')
  const places = [...tree.byId.keys()]
    .map((value) => ({ value, label: pathTo(value) }))
    .sort((a, b) => a.label.localeCompare(b.label))
  const [one = null] = askedFor
  const itsName = askedFor.size > 1 ? '' : one === null ? t('folderTop') : pathTo(one)
  return (
    <FormDialog
      title={t('acceptTitle', { count })}
      problem={null}
      act={t('acceptSome', { count })}
      busy={busy}
      onSubmit={() =>
        onAccept({
          allowedSurfaces: surfaces,
          ...(folder !== asAsked && { folderId: folder === top ? null : folder }),
        })
      }
      onClose={onClose}
    >
      <DecidedFiles names={names} />
      <NativeSelect
        label={t('folder')}
        data={[
          { value: asAsked, label: itsName ? t('folderAskedNamed', { folder: itsName }) : t('folderAsked') },
          { value: top, label: t('folderTop') },
          ...places,
        ]}
        value={folder}
        onChange={(event) => setFolder(event.currentTarget.value)}
        data-autofocus
      />
      <Input.Wrapper label={t('surfaces')} labelElement="div">
        <SurfaceChoice value={surfaces} onChange={setSurfaces} />
      </Input.Wrapper>
    </FormDialog>
  )
}
