import type { Library } from '../library/library.tsx'
import { createStore, useStore } from '../store.ts'
import type { Engine } from './engine.ts'

export interface Place {
  library: Library
  engine: Engine
  /** Whether the library's own page is open and shows its tray. */
  onPage: boolean
}

const places = createStore<readonly Place[]>([])

const without = (engine: Engine) => places.get().filter((place) => place.engine !== engine)

/** The library's page is open; what it answers is called when the person goes elsewhere. */
export function onPage(library: Library, engine: Engine): () => void {
  places.set([...without(engine), { library, engine, onPage: true }])
  return () => places.set([...without(engine), { library, engine, onPage: false }])
}

/** Libraries whose uploads may still be under way while the person is on another page; the last one last. */
export function useElsewhere(): readonly Place[] {
  return useStore(places).filter((place) => !place.onPage)
}
