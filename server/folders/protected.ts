import type { Caller } from '../library.ts'
import { Problem } from '../problems.ts'
import { nameKey } from './names.ts'

/** Paths whose structure belongs to the Social agent. */
const protectedPaths = ['Social', 'Social/Posted']
export const postedPath = ['Social', 'Posted']

const protectedKeys = new Set(protectedPaths.map(nameKey))

export const isProtected = (names: string[]) => protectedKeys.has(nameKey(names.join('/')))

/** Refuses callers other than the Social agent what would touch the structure of a protected folder. */
export function refuseProtected(caller: Caller, names: string[]): void {
  if (isProtected(names) && !caller.permissions.has('folders:social')) throw folderProtected(names.join('/'))
}

const folderProtected = (path: string) =>
  new Problem(
    'folder-protected',
    `${path} belongs to the Social agent; only it may rename, move or delete it, or move folders into it.`,
  )
