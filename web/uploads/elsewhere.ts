import { useSyncExternalStore } from 'react'
import type { Library } from '../library/library.tsx'
import type { Engine } from './engine.ts'

interface Place {
  library: Library
  engine: Engine
  /** Whether the library's own page is open and shows its tray. */
  onPage: boolean
}

let places: readonly Place[] = []
const listeners = new Set<() => void>()

function write(next: readonly Place[]) {
  places = next
  for (const listener of listeners) listener()
}

const without = (engine: Engine) => places.filter((place) => place.engine !== engine)

/** The library's page is open; what it answers is called when the person goes elsewhere. */
export function onPage(library: Library, engine: Engine): () => void {
  write([...without(engine), { library, engine, onPage: true }])
  return () => write([...without(engine), { library, engine, onPage: false }])
}

/** Libraries whose uploads may still be under way while the person is on another page; the last one last. */
export function useElsewhere(): readonly Place[] {
  const all = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => places,
  )
  return all.filter((place) => !place.onPage)
}
