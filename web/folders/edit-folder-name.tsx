import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslations } from 'use-intl'
import { type Folder, parentOf } from '../../contract/folders.ts'
import { dropFolder, listFolder } from '../library/cache.ts'
import { useLibrary } from '../library/library.tsx'
import { useNotSaved } from '../library/not-saved.ts'
import { type EditedField, useSelection } from '../library/selection.ts'
import { undoAwaits, useUndo } from '../library/undo.ts'
import { announce } from '../ui/announce.tsx'
import { InlineEdit } from '../ui/inline-edit.tsx'
import { toast, unsay } from '../ui/toast.tsx'
import { useProblemText } from '../words/problem-text.ts'
import { useFolderChanges } from './folders.ts'
import { unnamedId } from './new-folder.ts'

/** A folder's name, being edited. */
export function EditFolderName({ folder, onEnd }: { folder: Folder; onEnd(): void }) {
  const t = useTranslations('folder')
  const selection = useSelection()
  const rename = useRename(folder)
  const make = useMake(folder)
  const typed = useRef(folder.name)
  const field = useRef<EditedField>('name')
  const isNew = folder.folderId === unnamedId

  function end(saved: boolean) {
    onEnd()
    if (isNew) make(saved ? typed.current : null)
  }

  return (
    <InlineEdit
      of={`${folder.folderId} name`}
      value={folder.name}
      label={t('name')}
      maxLength={120}
      onSave={(name, isSeen) => {
        typed.current = name
        field.current = selection.editing?.field ?? 'name'
        if (isNew) return
        const saved = undoAwaits(rename(name))
        return isSeen ? selection.follow(folder.folderId, saved) : saved
      }}
      onRefused={() => selection.editing || selection.edit(folder.folderId, field.current)}
      onEnd={end}
    />
  )
}

function useRename(folder: Folder) {
  const done = useTranslations('done')
  const folders = useFolderChanges()
  const undo = useUndo()
  const notSaved = useNotSaved()
  return async (name: string) => {
    const about = `${folder.folderId} name`
    unsay(about)
    try {
      const { after, takeBack } = await folders.change(folder, { name })
      undo.offer(done('renamed', { title: after.name }), takeBack)
      return true
    } catch (error) {
      notSaved({ about, title: folder.name, typed: name, error })
      return false
    }
  }
}

/** Makes the folder under the name it was given; without one it was never there. */
function useMake(unnamed: Folder) {
  const done = useTranslations('done')
  const failed = useTranslations('failed')
  const client = useQueryClient()
  const library = useLibrary()
  const folders = useFolderChanges()
  const selection = useSelection()
  const undo = useUndo()
  const problemText = useProblemText()
  return async (name: string | null) => {
    if (name === null) {
      selection.clear()
      return dropFolder(client, library, unnamedId)
    }
    listFolder(client, library, { ...unnamed, name })
    unsay(unnamedId)
    try {
      const made = await undoAwaits(folders.create({ name, parentId: parentOf(unnamed) }))
      // Who has gone on to something else meanwhile stays there.
      const isStillThere = selection.focus === unnamedId
      dropFolder(client, library, unnamedId)
      if (isStillThere) {
        selection.only(made.folderId)
        void selection.follow(made.folderId, Promise.resolve(true))
      }
      announce(done('folderMade', { name }))
      undo.remember(done('folderMade', { name }), () => folders.trash(made))
    } catch (error) {
      toast({ about: unnamedId, text: `${failed('notDone')} ${problemText(error)}`, bad: true })
      selection.edit(unnamedId, 'name') // what was typed is still there, to be mended
    }
  }
}
