import { isId, newId } from '../ids.ts'
import type { Library } from '../library.ts'
import type { MovedIds } from '../section.ts'
import type { Journal, Renamed } from './journal.ts'

/** A new id is written down before anything is made under it: an import that goes on uses the same one again. */
export function movedIds({ clientId }: Library, journal: Journal): MovedIds & { renamed: Renamed[] } {
  const settled = new Map<string, string>()
  const renamed: Renamed[] = []
  const of = (id: string) => settled.get(id) ?? id
  return {
    renamed,
    async settle(kind, ids, holders) {
      const wellFormed = ids.filter((id) => isId(kind, id))
      const held = wellFormed.length > 0 ? await holders(wellFormed) : []
      const taken = new Set(held.map(({ id }) => id))
      for (const row of held) if (row.client_id === clientId) taken.delete(row.id)
      const keepers = new Set(wellFormed.filter((id) => !taken.has(id)))
      const fresh: Renamed[] = []
      for (const from of new Set(ids)) {
        const known = journal.nameOf(from) ?? (keepers.has(from) ? from : undefined)
        const to = known ?? newId(kind)
        settled.set(from, to)
        if (!known) fresh.push({ from, to })
        if (to !== from && isId(kind, from)) renamed.push({ from, to })
      }
      await journal.rename(fresh)
    },
    call: (id, here) => void settled.set(id, here),
    came: (id) => settled.has(id),
    of,
    refOf: (assetRef) => assetRef.replace(/^[^@]+/, of),
  }
}
