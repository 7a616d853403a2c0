import { nameKey } from '../../contract/folding.ts'
import type { Caller } from '../library.ts'
import { Problem } from '../problems.ts'
import { lookOf, looksOf } from './names.ts'

/** Paths whose structure belongs to the Social agent. */
const protectedPaths = ['Social', 'Social/Posted']
export const postedPath = ['Social', 'Posted']

const protectedKeys = new Set(protectedPaths.map(nameKey))
const protectedLooks = new Set(protectedPaths.map(lookOf))

export const isProtected = (names: string[]) => protectedKeys.has(nameKey(names.join('/')))

/** Below a protected folder, or one itself. */
const isWithinProtected = (names: string[]) =>
  names.some((_, depth) => isProtected(names.slice(0, depth + 1)))

/** Reads like a protected path and is none: somebody would file into it by mistake. */
const looksProtected = (names: string[]) =>
  !isProtected(names) && looksOf(names.join('/')).some((look) => protectedLooks.has(look))

/** Refuses callers other than the Social agent what would touch the structure of a protected folder. */
export function refuseProtected(caller: Caller, names: string[]): void {
  if (isProtected(names) && !caller.permissions.has('folders:social')) throw folderProtected(names.join('/'))
}

/** Refuses them to move a folder anywhere below a protected one. */
export function refuseMoveInto(caller: Caller, names: string[]): void {
  if (isWithinProtected(names) && !caller.permissions.has('folders:social'))
    throw folderProtected(names.join('/'))
}

/** Refuses everybody a name that is taken for a protected one. */
export function refuseLookAlike(names: string[]): void {
  if (looksProtected(names))
    throw new Problem(
      'folder-protected',
      `“${names.join('/')}” looks like a folder that belongs to the Social agent. Choose another name.`,
    )
}

const folderProtected = (path: string) =>
  new Problem(
    'folder-protected',
    `${path} belongs to the Social agent; only it may rename, move or delete it, or move folders into it.`,
    { extra: { params: { path } } },
  )
