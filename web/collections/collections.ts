import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import {
  type Collection,
  type CollectionPage,
  type Collections,
  mostCollected,
} from '../../contract/collections.ts'
import { api, query as inUrl } from '../api.ts'
import { keys, reread, rereadCollection, showPlaces, showTakenOut } from '../library/cache.ts'
import { type Library, useLibrary } from '../library/library.tsx'
import { useNotDone } from '../library/not-saved.ts'
import { isFolderId } from '../library/selection.ts'
import { undoAwaits, useUndo } from '../library/undo.ts'
import { newKey } from '../new-key.ts'
import { announce } from '../ui/announce.tsx'
import { unsay } from '../ui/toast.tsx'

const urlOf = ({ root }: Library, collectionId?: string, below = '') =>
  `${root}/collections${collectionId ? `/${collectionId}${below}` : ''}`

/** All of them, by their names. */
export function useCollections() {
  const library = useLibrary()
  return useQuery({
    queryKey: keys.collections(library),
    queryFn: async ({ signal }) => {
      const all: Collection[] = []
      let cursor: string | null | undefined
      do {
        const page: CollectionPage = await api.get(
          `${urlOf(library)}${inUrl({ limit: 500, cursor: cursor ?? undefined })}`,
          { signal },
        )
        all.push(...page.collections)
        cursor = page.nextCursor
      } while (cursor)
      return all
    },
  })
}

export const useCollection = (collectionId: string | undefined) =>
  useCollections().data?.find((each) => each.collectionId === collectionId)

export function useCollectionsOf(assetId: string): Collection[] | undefined {
  const library = useLibrary()
  return useQuery({
    queryKey: keys.about(library, assetId, 'collections'),
    queryFn: async ({ signal }) =>
      (await api.get<Collections>(`${library.base}/${assetId}/collections`, { signal })).collections,
  }).data
}

/** What was moved is told one after the other: each place counts from the one before. Behind what failed nothing is. */
let lastMove: Promise<unknown> = Promise.resolve()

function inOrder(tell: () => Promise<unknown>): Promise<unknown> {
  const mine = lastMove.then(tell)
  lastMove = mine
  mine.catch(() => {
    if (lastMove === mine) lastMove = Promise.resolve()
  })
  return mine
}

/** For which everything was put back already. */
const putBackFor = new WeakSet<object>()

/** What is said of what was done to them. */
const about = 'collections'

/** What can be done to collections. Each says what went wrong, and how it is taken back. */
export function useCollecting() {
  const t = useTranslations('collections')
  const failed = useTranslations('failed')
  const library = useLibrary()
  const client = useQueryClient()
  const undo = useUndo()
  const notDone = useNotDone()

  async function saying(what: 'collect' | 'takeOut' | 'order', act: () => Promise<unknown>) {
    unsay(about)
    try {
      await undoAwaits(act())
    } catch (error) {
      notDone({ about, what: failed(`acts.${what}`), error, again: () => void saying(what, act) })
    }
  }

  const changed = (collectionId: string) => {
    reread(client, keys.collections(library))
    rereadCollection(client, library, collectionId)
  }

  const inParts = async (assetIds: string[], send: (some: string[]) => Promise<unknown>) => {
    for (let at = 0; at < assetIds.length; at += mostCollected)
      await send(assetIds.slice(at, at + mostCollected))
  }
  const put = async (id: string, assetIds: string[], before?: string) => {
    await inParts(assetIds, (some) =>
      api.post(urlOf(library, id, '/assets'), { assetIds: some, ...(before && { before }) }),
    )
    changed(id)
  }
  const takeOut = async (id: string, assetIds: string[]) => {
    showTakenOut(client, library, id, assetIds)
    try {
      await inParts(assetIds, (some) => api.delete(urlOf(library, id, '/assets'), { assetIds: some }))
    } finally {
      changed(id)
    }
  }
  const move = async (id: string, assetIds: string[], before: string | undefined) => {
    const shown = showPlaces(client, library, id, assetIds, before)
    try {
      await inOrder(() => api.patch(urlOf(library, id, '/assets'), { assetIds, ...(before && { before }) }))
    } finally {
      shown.answered()
      changed(id)
    }
  }

  const create = async (name: string, assetIds: string[] = []) => {
    const made = await api.post<Collection>(
      urlOf(library),
      { name, ...(assetIds.length > 0 && { assetIds: assetIds.slice(0, mostCollected) }) },
      { idempotencyKey: newKey() },
    )
    await put(made.collectionId, assetIds.slice(mostCollected))
    // It is opened next: a list without it would call it gone.
    await client.invalidateQueries({ queryKey: keys.collections(library) })
    return made
  }

  return {
    create,
    rename: async (id: string, name: string) => {
      const renamed = await api.patch<Collection>(urlOf(library, id), { name })
      client.setQueryData<Collection[]>(keys.collections(library), (all) =>
        all?.map((each) => (each.collectionId === id ? renamed : each)),
      )
      changed(id)
      return renamed
    },
    /** Taken back, it is there again, with its order and its links. */
    remove: async ({ collectionId, name }: Pick<Collection, 'collectionId' | 'name'>) => {
      await api.delete(urlOf(library, collectionId))
      changed(collectionId)
      undo.offer(t('deleted', { name }), async () => {
        await api.post(urlOf(library, collectionId, '/restore'))
        changed(collectionId)
      })
    },
    /** Folders are not collected. */
    collect: ({ collectionId, name }: Pick<Collection, 'collectionId' | 'name'>, ids: Iterable<string>) =>
      saying('collect', async () => {
        const assetIds = [...ids].filter((id) => !isFolderId(id))
        if (assetIds.length === 0) return
        await put(collectionId, assetIds)
        undo.offer(t('added', { count: assetIds.length, name }), () => takeOut(collectionId, assetIds))
      }),
    /** `order` is how all of it stood. */
    takeOut: (id: string, assetIds: string[], order: (string | undefined)[]) =>
      saying('takeOut', async () => {
        await takeOut(id, assetIds)
        const gone = new Set(assetIds)
        undo.offer(t('takenOut', { count: assetIds.length }), async () => {
          for (const [before, some] of runsIn(order, gone)) await put(id, some, before)
        })
      }),
    move: (id: string, assetIds: string[], before: string | undefined, order: (string | undefined)[]) =>
      saying('order', async () => {
        const stood = runsIn(order, new Set(assetIds))
        try {
          await move(id, assetIds, before)
        } catch (error) {
          // Once, to how it was before the first of those that failed.
          const all = order.filter((each) => each !== undefined)
          if (!putBackFor.has(error as object)) showPlaces(client, library, id, all, undefined).answered()
          putBackFor.add(error as object)
          throw error
        }
        announce(
          t('movedTo', {
            moved: assetIds.length,
            place: placeOf(assetIds, before, order),
            count: order.length,
          }),
        )
        undo.remember(t('moved'), async () => {
          for (const [next, some] of stood) await move(id, some, next)
        })
      }),
  }
}

/** Where the first of them stands now, counted from one. */
function placeOf(assetIds: string[], before: string | undefined, order: (string | undefined)[]): number {
  const others = order.filter((id) => id === undefined || !assetIds.includes(id))
  return (before === undefined ? others.length : others.indexOf(before)) + 1
}

/** What stood side by side, from the last to the first, and what came behind it. */
function runsIn(order: (string | undefined)[], ids: ReadonlySet<string>): [string | undefined, string[]][] {
  const runs: [string | undefined, string[]][] = []
  let next: string | undefined
  let run: string[] | undefined
  for (const id of order.toReversed()) {
    if (id && ids.has(id)) {
      if (!run) {
        run = []
        runs.push([next, run])
      }
      run.unshift(id)
    } else {
      run = undefined
      next = id
    }
  }
  return runs
}
