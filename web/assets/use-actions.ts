import { useQueryClient } from '@tanstack/react-query'
import { type Messages, useTranslations } from 'use-intl'
import type { Asset, Batch, Provenance } from '../../contract/assets.ts'
import { type Folder, parentOf } from '../../contract/folders.ts'
import type { Surface } from '../../contract/words.ts'
import { isProblem, Problem } from '../api.ts'
import { useFolderChanges, useFolderTree } from '../folders/folders.ts'
import { unnamedFolder, unnamedId } from '../folders/new-folder.ts'
import { folderInLists, listFolder, showAssets, showEdit } from '../library/cache.ts'
import { useLibrary } from '../library/library.tsx'
import { mayWorkLater, useNotDone } from '../library/not-saved.ts'
import { hasTag } from '../library/patch.ts'
import { queryOf } from '../library/place.ts'
import { isFolderId } from '../library/selection.ts'
import { undoAwaits, useUndo } from '../library/undo.ts'
import { copy as copyText } from '../ui/copy.ts'
import { pathText } from '../ui/path-text.ts'
import { toast, unsay } from '../ui/toast.tsx'
import { useProblemText } from '../words/problem-text.ts'
import { ensureList } from './asset-list.ts'
import { assetInLists, mergedInLists } from './assets.ts'
import { type BatchChange, type Changed, countOf, type Outcome, refusedInBatch, useBatch } from './batch.ts'
import { showHolders } from './holders.ts'

/** What can be done to some of a library's folders and assets, named by their ids. */
export function useActions() {
  const library = useLibrary()
  const client = useQueryClient()
  const batch = useBatch()
  const folders = useFolderChanges()
  const tree = useFolderTree()
  const undo = useUndo()
  const notDone = useNotDone()
  const problemText = useProblemText()
  const done = useTranslations('done')
  const failed = useTranslations('failed')
  const words = useTranslations('library')
  const root = words('root')
  const app = useTranslations('app')

  const assetIdsOf = (ids: Iterable<string>) => [...ids].filter((id) => !isFolderId(id))
  const foldersOf = (ids: Iterable<string>) => [...ids].flatMap((id) => tree.byId.get(id) ?? [])
  const nameOf = (folderId: string | null) => tree.byId.get(folderId ?? '')?.name ?? root
  const pathOf = (folderId: string | null) => pathText([root, ...tree.path(folderId).map(({ name }) => name)])
  const idsOf = (changed: Changed[]) => changed.map(({ asset }) => asset.assetId)

  /** Shows what a few will be at once, and what they are when it is done or refused. Many show as they are done. */
  async function optimistically(
    ids: string[],
    after: (asset: Asset) => Asset,
    act: () => Promise<Outcome>,
  ): Promise<Outcome> {
    const before = ids.length > 100 ? [] : ids.flatMap((id) => assetInLists(client, library, id) ?? [])
    const answered = showEdit(client, library, before, after)
    try {
      return await act()
    } finally {
      showAssets(client, library, answered())
    }
  }

  /** Which of the tags was refused, and why. */
  function whyTags(error: unknown, tags: string[]): string {
    const errors = error instanceof Problem ? error.errors : []
    const said = errors.flatMap(({ path, rule, limit = 0 }) => {
      const tag = tags[Number(/tags\/(\d+)$/.exec(path)?.[1])]
      if (!tag || (rule !== 'maxLength' && rule !== 'plain')) return []
      return failed(rule === 'maxLength' ? 'tagTooLong' : 'tagNotPlain', { tag: shortened(tag), limit })
    })
    return said.join(' ') || problemText(error)
  }

  /** A new try makes what was said of the last one untrue. */
  async function saying(
    what: keyof Messages['failed']['acts'],
    act: () => Promise<unknown>,
    again: () => unknown = () => saying(what, act),
  ): Promise<boolean> {
    unsay(lastAction)
    unsay(refusedInBatch)
    try {
      await undoAwaits(act())
      return true
    } catch (error) {
      if (isProblem(error, 'in-use')) showHolders({ uses: error.uses })
      else notDone({ about: lastAction, what: failed(`acts.${what}`), error, again })
      return false
    }
  }

  /** Offers to take back what was done, even where the rest failed. */
  function settle(
    { changed, job, error }: Outcome,
    text: (count: number) => string,
    takeBack: () => Promise<boolean>,
  ) {
    const count = job?.count ?? changed.length
    if (count) undo.offer(text(count), job ? () => partsBack([job.undo]) : takeBack)
    if (error) throw error
  }

  /** Whether all of it was taken back: what somebody has changed since stays as it is. */
  async function partsBack(parts: (() => Promise<unknown>)[]): Promise<boolean> {
    const refused: unknown[] = []
    let isWhole = true
    for (const part of parts)
      try {
        const outcome = (await part()) as Outcome
        isWhole &&= !outcome.refused
        if (outcome.error) throw outcome.error
      } catch (error) {
        if (!isProblem(error, 'changed-meanwhile')) throw error
        refused.push(error)
      }
    if (refused.length && refused.length === parts.length) throw refused[0]
    return isWhole && refused.length === 0
  }

  /** What somebody has moved on since stays there. */
  function moveBack({ changed, job }: Outcome, folderSteps: (() => Promise<unknown>)[]) {
    const parts = backIn(changed, 'move', 'folderId')
    return partsBack([...(job ? [job.undo] : []), ...parts, ...folderSteps])
  }

  /** What each had in this field, for those that are still as they were left. */
  function backIn(changed: Changed[], action: Batch['action'], field: keyof NonNullable<Batch['still']>) {
    const ways = Map.groupBy(changed, (each) => JSON.stringify([each.before[field], each.asset[field]]))
    return [...ways.values()].flatMap((some) => {
      const [{ asset, before }] = some as [Changed]
      if (JSON.stringify(before[field]) === JSON.stringify(asset[field])) return []
      const still = { [field]: asset[field] }
      return () => batch(idsOf(some), { action, [field]: before[field], still })
    })
  }

  /** What each had and lost comes back, what it got goes. */
  async function tagsBack(changed: Changed[]) {
    const parts: (() => Promise<Outcome>)[] = []
    for (const { action, difference } of [
      { action: 'untag', difference: ({ asset, before }: Changed) => without(asset.tags, before.tags) },
      { action: 'tag', difference: ({ asset, before }: Changed) => without(before.tags, asset.tags) },
    ] as const)
      for (const [tags, some] of Map.groupBy(changed, (each) => JSON.stringify(difference(each))))
        if (tags !== '[]') parts.push(() => batch(idsOf(some), { action, tags: JSON.parse(tags) }))
    return partsBack(parts)
  }

  const changeTags = (ids: string[], { add, remove }: TagChange) =>
    oneByOne(ids, [
      ...(add.length ? [{ action: 'tag', tags: add } as const] : []),
      ...(remove.length ? [{ action: 'untag', tags: remove } as const] : []),
    ])

  const changeRights = (ids: string[], { rightsExpireAt, provenance }: RightsChange) =>
    oneByOne(ids, [
      ...(rightsExpireAt === undefined ? [] : [{ action: 'rights', rightsExpireAt } as const]),
      ...(provenance === undefined ? [] : [{ action: 'provenance', provenance } as const]),
    ])

  /** One thing after another to the same assets. Where one goes wrong, what was done before can be taken back. */
  async function oneByOne(ids: string[], changes: BatchChange[]): Promise<Outcome> {
    let so: Outcome = { changed: [] }
    for (const change of changes) {
      const next = await batch(ids, change).catch((error): Outcome => {
        if (countOf(so) === 0) throw error
        return { changed: [], error }
      })
      so = inTurn(so, next)
      if (so.error) break
    }
    return so
  }

  /** What is planned for use goes only when the person says so once more. */
  async function trashFolder(folder: Folder): Promise<boolean> {
    try {
      await folders.trash(folder)
      return true
    } catch (error) {
      if (!isProblem(error, 'in-use')) throw error
      const anyway = () =>
        void saying('trash', async () => {
          await folders.trash(folder, { force: true })
          offerRestore([], [folder])
        })
      showHolders({ uses: error.uses, anyway })
      return false
    }
  }

  const trashedInARow = (count: number) => ({
    kind: 'trash',
    count,
    text: (count: number) => done('trashed', { count, title: '' }),
  })

  function offerRestore(assets: Asset[], gone: Folder[]) {
    const count = assets.length + gone.length
    if (count === 0) return
    const title = gone[0]?.name ?? assets[0]!.title
    undo.offer(
      done('trashed', { count, title }),
      () =>
        restore(
          assets.map(({ assetId }) => assetId),
          gone.map(({ folderId }) => folderId),
        ),
      trashedInARow(count),
    )
  }

  /** All of them, and what is to be said of those that did not come back to where they were. */
  async function restore(assetIds: string[], folderIds: string[]) {
    const notes: string[] = []
    const places = new Set<string | null>()
    for (const folderId of folderIds) {
      const before = folderInLists(client, library, folderId)
      const after = await folders.restore(folderId)
      places.add(parentOf(after))
      if (!before) continue
      const { name } = after
      if (name !== before.name) notes.push(done('restoredAs', { before: before.name, name }))
      if (parentOf(after) !== parentOf(before)) notes.push(done('folderRestoredToTop', { name, root }))
    }
    if (!assetIds.length) return { changed: [], notes, places }
    const merged = mergedInLists(client, library, assetIds).map(({ assetId, into }) => ({
      assetId,
      title: assetInLists(client, library, assetId)?.title ?? '',
      into: into.title,
    }))
    const { changed, job, error } = await batch(assetIds, { action: 'restore' })
    if (error) throw error
    const back = merged.filter(({ assetId }) => job || changed.some(({ asset }) => asset.assetId === assetId))
    if (back.length) notes.push(done('restoredFromMerge', { count: back.length, ...back[0]! }))
    const homeless = changed.filter(({ asset, before }) => asset.folderId !== before.folderId)
    if (homeless.length)
      notes.push(done('restoredToTop', { count: homeless.length, title: homeless[0]!.asset.title, root }))
    for (const { asset } of changed) places.add(asset.folderId)
    return { changed, job, notes, places }
  }

  const trash = (ids: Iterable<string>): Promise<boolean> =>
    saying('trash', async () => {
      const assetIds = assetIdsOf(ids)
      if (saysLocked(ids)) return
      const gone = sayingWhatStays(foldersOf(ids))
      const trashed: Folder[] = []
      for (const folder of gone) if (await trashFolder(folder)) trashed.push(folder)
      const went: Asset[] = []
      const itsAssets = async () => {
        if (!assetIds.length) return
        const { changed, job, error } = await optimistically(
          assetIds,
          (asset) => ({ ...asset, trashedAt: new Date().toISOString() }),
          () => batch(assetIds, { action: 'trash' }),
        )
        if (job?.count)
          undo.offer(done('trashed', { count: job.count, title: '' }), job.undo, trashedInARow(job.count))
        went.push(...changed.map(({ asset }) => asset))
        if (error) throw error
      }
      await saying('trash', itsAssets, () => trash(assetIds))
      offerRestore(went, trashed)
    })

  return {
    move: (ids: Iterable<string>, folderId: string | null) =>
      saying('move', async () => {
        if (saysLocked(ids)) return
        const moved = sayingWhatStays(foldersOf(ids)).filter((folder) => parentOf(folder) !== folderId)
        const path = tree.path(folderId)
        if (moved.some((folder) => path.includes(folder))) return saysFailed(failed('cycle'))
        const assetIds = assetIdsOf(ids).filter(
          (id) => assetInLists(client, library, id)?.folderId !== folderId,
        )
        if (assetIds.length + moved.length === 0) return
        const steps: (() => Promise<unknown>)[] = []
        for (const folder of moved)
          steps.push((await folders.change(folder, { parentId: folderId })).takeBack)
        const outcome: Outcome = assetIds.length
          ? await optimistically(
              assetIds,
              (asset) => ({ ...asset, folderId }),
              () => batch(assetIds, { action: 'move', folderId }),
            )
          : { changed: [] }
        const count = countOf(outcome) + steps.length
        const text = (count: number) => done('moved', { count, place: nameOf(folderId) })
        if (count)
          undo.offer(text(count), () => moveBack(outcome, steps), { kind: `move ${folderId}`, count, text })
        if (outcome.error) throw outcome.error
      }),

    trash,

    restore: (ids: Iterable<string>) =>
      saying('restore', async () => {
        const all = [...ids]
        const folderIds = all.filter(isFolderId)
        const { changed, job, notes, places } = await restore(assetIdsOf(all), folderIds)
        const count = changed.length + (job?.count ?? 0) + folderIds.length
        const [place] = places
        const isOnePlace = place !== undefined && places.size === 1 && !job && notes.length === 0
        const restored = isOnePlace
          ? done('restoredTo', { count, place: pathOf(place) })
          : done('restored', { count })
        undo.offer([restored, ...notes].join('. '), async () => {
          const parts = [...Map.groupBy(changed, ({ asset }) => asset.folderId)].map(
            ([folderId, some]) =>
              () =>
                batch(idsOf(some), { action: 'trash', still: { folderId } }),
          )
          const gone = folderIds.map((folderId) => () => folders.trash({ folderId }))
          return partsBack([...(job ? [job.undo] : []), ...parts, ...gone])
        })
      }),

    /** What is refused and would be again is told to whoever asked: they have what was typed. */
    tag: (ids: Iterable<string>, change: TagChange, onRefused: (why: string) => void) =>
      saying('tag', async () => {
        try {
          const outcome = await changeTags(assetIdsOf(ids), change)
          settle(
            outcome,
            (count) => done('tagged', { count }),
            () => tagsBack(outcome.changed),
          )
        } catch (error) {
          if (mayWorkLater(error)) throw error
          onRefused(`${failed('acts.tag')} ${whyTags(error, change.add)}`)
        }
      }),

    /** One asset's tags, added or taken away: two people tagging at once never undo each other. */
    retag: (asset: Asset, action: 'tag' | 'untag', tag: string) =>
      saying('tag', async () => {
        if (action === 'tag' && hasTag(asset, tag)) return
        const { changed } = await optimistically(
          [asset.assetId],
          ({ tags, ...rest }) => ({
            ...rest,
            tags: [...tags.filter((each) => each !== tag), ...(action === 'tag' ? [tag] : [])],
          }),
          () => batch([asset.assetId], { action, tags: [tag] }),
        )
        undo.remember(done(action, { tag, title: asset.title }), () => tagsBack(changed))
      }),

    changeSurfaces: (ids: Iterable<string>, { add, remove }: SurfaceChange) =>
      saying('surfaces', async () => {
        const assetIds = assetIdsOf(ids)
        const outcome = await batch(assetIds, {
          action: 'surfaces',
          addSurfaces: add,
          removeSurfaces: remove,
        })
        settle(
          outcome,
          (count) => done('surfaces', { count }),
          () => partsBack(backIn(outcome.changed, 'surfaces', 'allowedSurfaces')),
        )
      }),

    changeRights: (ids: Iterable<string>, change: RightsChange) =>
      saying('rights', async () => {
        const outcome = await changeRights(assetIdsOf(ids), change)
        settle(
          outcome,
          (count) => done('rights', { count }),
          () =>
            partsBack([
              ...backIn(outcome.changed, 'rights', 'rightsExpireAt'),
              ...backIn(outcome.changed, 'provenance', 'provenance'),
            ]),
        )
      }),

    saysLocked,
    isLocked,

    /** A new folder under a free name, at once. */
    async newFolder(parentId: string | null): Promise<Folder | null> {
      let made: Folder | null = null
      await saying('newFolder', async () => {
        made = await folders.create({ name: freeName(parentId), parentId })
      })
      return made
    },

    /** A place among the folders for a new one; it is made once it has been named. */
    async nameNewFolder(parentId: string | null): Promise<string> {
      await ensureList(client, library, queryOf({ folder: parentId ?? undefined }))
      listFolder(client, library, unnamedFolder(parentId, freeName(parentId)))
      return unnamedId
    },

    async copy(text: string, words: string) {
      if (await copyText(text)) toast({ about: 'copy', text: words })
      else toast({ about: 'copy', text: app('copyFailed', { text }), bad: true })
    },
  }

  function isLocked(id: string): boolean {
    return !!tree.byId.get(id)?.protected
  }

  /** Whether all of these are the Social agent's; then it has been said. */
  function saysLocked(ids: Iterable<string>): boolean {
    const all = [...ids]
    if (all.length === 0 || !all.every(isLocked)) return false
    saysFailed(failed('protectedFolder', { name: nameOf(all[0]!) }))
    return true
  }

  function saysFailed(text: string) {
    toast({ about: lastAction, text, bad: true })
  }

  /** The others go; of the Social agent's it is said that they stay. */
  function sayingWhatStays(some: Folder[]): Folder[] {
    for (const { name } of some.filter((folder) => folder.protected))
      toast({ text: failed('stays', { name }) })
    return some.filter((folder) => !folder.protected)
  }

  function freeName(parentId: string | null): string {
    const taken = new Set(tree.inside(parentId).map(({ name }) => name.toLowerCase()))
    const wanted = words('newFolderName')
    let name = wanted
    for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${wanted} ${n}`
    return name
  }
}

const lastAction = 'last action'

/** Two jobs as one: what came last is taken back first. */
const both = (first: Outcome['job'], last: NonNullable<Outcome['job']>): NonNullable<Outcome['job']> => ({
  count: Math.max(first?.count ?? 0, last.count),
  async undo() {
    const outcomes = [await last.undo(), await first?.undo()]
    return { changed: [], refused: Math.max(...outcomes.map((each) => each?.refused ?? 0)) }
  },
})

/** What came of one after the other: each as it was before the first, and as the last has left it. */
function inTurn(first: Outcome, last: Outcome): Outcome {
  const changed = new Map(first.changed.map((each) => [each.asset.assetId, each]))
  for (const { asset, before } of last.changed)
    changed.set(asset.assetId, { asset, before: changed.get(asset.assetId)?.before ?? before })
  const job = last.job ? both(first.job, last.job) : first.job
  return { ...last, changed: [...changed.values()], ...(job && { job }) }
}

const without = (tags: string[], others: string[]) => tags.filter((tag) => !others.includes(tag))

export interface TagChange {
  add: string[]
  remove: string[]
}

export interface SurfaceChange {
  add: Surface[]
  remove: Surface[]
}

/** Undefined is what stays as it is. */
export interface RightsChange {
  rightsExpireAt?: string | null
  provenance?: Provenance
}

export type Actions = ReturnType<typeof useActions>

const mostShown = 40
const shortened = (tag: string) => (tag.length > mostShown ? `${tag.slice(0, mostShown).trimEnd()}…` : tag)
