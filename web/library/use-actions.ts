import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import type { Asset } from '../../contract/assets.ts'
import type { Folder } from '../../contract/folders.ts'
import type { Surface } from '../../contract/words.ts'
import { isProblem } from '../api.ts'
import { assetInLists, useBatch } from '../assets/assets.ts'
import { useFolderChanges, useFolderTree } from '../folders/folders.ts'
import { copy as copyText } from '../ui/copy.ts'
import { useSaid } from '../ui/said.ts'
import { toast } from '../ui/toast.tsx'
import { showAsset } from './cache.ts'
import { tellHolders } from './holders.ts'
import { useLibrary } from './library.tsx'
import { isFolderId } from './selection.ts'
import { undoAwaits, useUndo } from './undo.ts'

/** What can be done to some of a library's folders and assets, named by their ids. */
export function useActions() {
  const library = useLibrary()
  const client = useQueryClient()
  const batch = useBatch()
  const folders = useFolderChanges()
  const tree = useFolderTree()
  const undo = useUndo()
  const said = useSaid()
  const done = useTranslations('done')
  const failed = useTranslations('failed')
  const words = useTranslations('library')
  const app = useTranslations('app')

  const assetsOf = (ids: Iterable<string>) =>
    [...ids].filter((id) => !isFolderId(id)).flatMap((id) => assetInLists(client, library, id) ?? [])
  const foldersOf = (ids: Iterable<string>) => [...ids].flatMap((id) => tree.byId.get(id) ?? [])
  const nameOf = (folderId: string | null) => tree.byId.get(folderId ?? '')?.name ?? words('root')
  const idsOf = (assets: Asset[]) => assets.map(({ assetId }) => assetId)
  const show = (assets: Asset[]) => {
    for (const asset of assets) showAsset(client, library, asset)
  }

  /** Shows it as done, does it, and puts it back if that fails. */
  async function optimistically(
    before: Asset[],
    after: (asset: Asset) => Asset,
    act: () => Promise<unknown>,
  ) {
    show(before.map(after))
    try {
      await act()
    } catch (error) {
      show(before)
      throw error
    }
  }

  async function saying(act: () => Promise<unknown>): Promise<boolean> {
    try {
      await undoAwaits(act())
      return true
    } catch (error) {
      if (isProblem(error, 'in-use')) tellHolders({ uses: error.uses })
      else toast({ text: `${failed('notDone')} ${said(error)}`, bad: true })
      return false
    }
  }

  async function moveAssets(assets: Asset[], folderId: string | null) {
    if (assets.length === 0) return
    await optimistically(
      assets,
      (asset) => ({ ...asset, folderId }),
      () => batch(idsOf(assets), { action: 'move', folderId }),
    )
  }

  async function moveBack(assets: Asset[], moved: { before: Folder; after: Folder }[]) {
    for (const [folderId, some] of Map.groupBy(assets, (asset) => asset.folderId))
      await batch(idsOf(some), { action: 'move', folderId })
    for (const { before, after } of moved) await folders.change(after, { parentId: before.parentId })
  }

  /** What is planned for use goes only when the person says so once more. */
  async function trashFolder(folder: Folder): Promise<boolean> {
    try {
      await folders.trash(folder)
      return true
    } catch (error) {
      if (!isProblem(error, 'in-use')) throw error
      const anyway = () =>
        void saying(async () => {
          await folders.trash(folder, { force: true })
          offerRestore([], [folder])
        })
      tellHolders({ uses: error.uses, anyway })
      return false
    }
  }

  function offerRestore(assets: Asset[], gone: Folder[]) {
    const count = assets.length + gone.length
    if (count === 0) return
    undo.offer(done('trashed', { count }), () =>
      restore(
        idsOf(assets),
        gone.map(({ folderId }) => folderId),
      ),
    )
  }

  async function restore(assets: string[], folderIds: string[]) {
    for (const folderId of folderIds) await folders.restore(folderId)
    if (assets.length) await batch(assets, { action: 'restore' })
  }

  return {
    move: (ids: Iterable<string>, folderId: string | null) =>
      saying(async () => {
        const assets = assetsOf(ids).filter((asset) => asset.folderId !== folderId)
        const moved = foldersOf(ids).filter((folder) => folder.parentId !== folderId)
        const locked = moved.find((folder) => folder.protected)
        if (locked) return toast({ text: failed('protectedFolder', { name: locked.name }), bad: true })
        const path = tree.path(folderId)
        if (moved.some((folder) => path.includes(folder))) return toast({ text: failed('cycle'), bad: true })
        const count = assets.length + moved.length
        if (count === 0) return
        const steps: { before: Folder; after: Folder }[] = []
        for (const before of moved)
          steps.push({ before, after: await folders.change(before, { parentId: folderId }) })
        await moveAssets(assets, folderId)
        undo.offer(done('moved', { count, place: nameOf(folderId) }), () => moveBack(assets, steps))
      }),

    trash: (ids: Iterable<string>) =>
      saying(async () => {
        const assets = assetsOf(ids)
        const gone = foldersOf(ids)
        const locked = gone.find((folder) => folder.protected)
        if (locked) return toast({ text: failed('protectedFolder', { name: locked.name }), bad: true })
        const trashed: Folder[] = []
        for (const folder of gone) if (await trashFolder(folder)) trashed.push(folder)
        const went =
          assets.length > 0 &&
          (await saying(() =>
            optimistically(
              assets,
              (asset) => ({ ...asset, trashedAt: new Date().toISOString() }),
              () => batch(idsOf(assets), { action: 'trash' }),
            ),
          ))
        offerRestore(went ? assets : [], trashed)
      }),

    restore: (ids: Iterable<string>) =>
      saying(async () => {
        const all = [...ids]
        await restore(
          all.filter((id) => !isFolderId(id)),
          all.filter(isFolderId),
        )
        toast({ text: done('restored', { count: all.length }) })
      }),

    tag: (ids: Iterable<string>, tags: string[]) =>
      saying(async () => {
        const assets = assetsOf(ids)
        await batch(idsOf(assets), { action: 'tag', tags })
        toast({ text: done('tagged', { count: assets.length }) })
      }),

    /** One asset's tags, added or taken away: two people tagging at once never undo each other. */
    retag: (asset: Asset, action: 'tag' | 'untag', tag: string) =>
      saying(() =>
        optimistically(
          [asset],
          ({ tags, ...rest }) => ({
            ...rest,
            tags: action === 'tag' ? [...new Set([...tags, tag])] : tags.filter((each) => each !== tag),
          }),
          () => batch([asset.assetId], { action, tags: [tag] }),
        ),
      ),

    setSurfaces: (ids: Iterable<string>, allowedSurfaces: Surface[]) =>
      saying(async () => {
        const assets = assetsOf(ids)
        await optimistically(
          assets,
          (asset) => ({ ...asset, allowedSurfaces }),
          () => batch(idsOf(assets), { action: 'surfaces', allowedSurfaces }),
        )
        toast({ text: done('surfaces', { count: assets.length }) })
      }),

    /** A new folder under a free name, ready to be renamed. */
    async newFolder(parentId: string | null): Promise<Folder | null> {
      const taken = new Set(tree.inside(parentId).map(({ name }) => name.toLowerCase()))
      const wanted = words('newFolderName')
      let name = wanted
      for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${wanted} ${n}`
      let made: Folder | null = null
      await saying(async () => {
        made = await folders.create({ name, parentId })
      })
      return made
    },

    async copy(text: string, words: string) {
      if (await copyText(text)) toast({ text: words })
      else toast({ text: app('copyFailed', { text }), bad: true })
    },
  }
}

export type Actions = ReturnType<typeof useActions>
