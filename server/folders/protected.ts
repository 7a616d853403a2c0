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

/** The same of a row of `folders`, asked of the database: it looks further only at those with such a name. */
export const isProtectedRow = (row: string) =>
  [...protectedKeys].map((path) => `(${isAt(row, path.split('/'))})`).join(' or ')

function isAt(row: string, path: string[]): string {
  const above = path.slice(0, -1)
  const parent = `${row}_parent`
  const isThere =
    above.length === 0
      ? `${row}.parent_id is null`
      : `exists (select from folders ${parent} where ${parent}.client_id = ${row}.client_id and ${parent}.id = ${row}.parent_id and ${isAt(parent, above)})`
  return `${row}.name_key = '${path.at(-1)}' and ${isThere}`
}

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
