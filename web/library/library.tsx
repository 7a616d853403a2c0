import { useQuery } from '@tanstack/react-query'
import { createContext, useContext, useMemo } from 'react'
import type { Permission } from '../../contract/access.ts'
import type { ClientRecord } from '../../contract/clients.ts'
import { api } from '../api.ts'
import { useMe } from '../session.ts'

/** One client's library as the signed-in person may see it: what every room of the web app asks for first. */
export interface Library {
  frame: 'admin' | 'portal'
  /** Where the API has all that is this client's, without a slash at the end. */
  root: string
  /** The API's `…/assets` of this library, without a slash at the end. */
  base: string
  eventsUrl: string
  clientId: string
  can(permission: Permission): boolean
}

const LibraryContext = createContext<Library | null>(null)
export const LibraryProvider = LibraryContext.Provider

export function useLibrary(): Library {
  const library = useContext(LibraryContext)
  if (!library) throw new Error('useLibrary needs a LibraryProvider above it')
  return library
}

/** The library behind one of the two doors. */
export function useLibraryAt(frame: Library['frame'], root: string, clientId: string): Library {
  const me = useMe()
  return useMemo(
    () => ({
      frame,
      root,
      clientId,
      base: `${root}/assets`,
      eventsUrl: `${root}/events`,
      can: (permission) => me?.permissions.includes(permission) ?? false,
    }),
    [frame, clientId, root, me],
  )
}

export const useClientRecord = (clientId: string) =>
  useQuery({
    queryKey: ['client', clientId],
    queryFn: ({ signal }) => api.get<ClientRecord>(`/admin/clients/${clientId}`, { signal }),
    // How full the library is changes with every upload.
    staleTime: 0,
  })
