import { createContext, useContext } from 'react'
import type { Permission } from '../../contract/access.ts'

/** One client's library as the signed-in person may see it: what every room of the web app asks for first. */
export interface Library {
  frame: 'admin' | 'portal'
  /** The API's `…/assets` of this library, without a slash at the end. */
  base: string
  eventsUrl: string
  /** Null in the portal, where the login says whose library it is. */
  clientId: string | null
  can(permission: Permission): boolean
}

const LibraryContext = createContext<Library | null>(null)
export const LibraryProvider = LibraryContext.Provider

export function useLibrary(): Library {
  const library = useContext(LibraryContext)
  if (!library) throw new Error('useLibrary needs a LibraryProvider above it')
  return library
}
