import { longestFolderName } from '../../contract/folders.ts'
import { Problem } from '../problems.ts'

/** The name as it is kept: trimmed and composed. */
export function folderName(given: string): string {
  const name = given.normalize('NFC').trim()
  const wrong =
    name === ''
      ? 'must not be empty'
      : [...name].length > longestFolderName
        ? `must have at most ${longestFolderName} characters`
        : name === '.' || name === '..'
          ? 'must not be "." or ".."'
          : /[/\p{Cc}]/u.test(name)
            ? 'must not contain "/" or control characters'
            : undefined
  if (wrong) throw badName(wrong)
  return name
}

/** What makes two names the same among siblings. */
export const nameKey = (name: string) => name.normalize('NFC').toLowerCase()

/** The name itself, or the first of "name (2)", "name (3)"… that is free. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name
  for (let count = 2; taken.has(nameKey(free)); count++) {
    const suffix = ` (${count})`
    free =
      [...name]
        .slice(0, longestFolderName - suffix.length)
        .join('')
        .trimEnd() + suffix
  }
  return free
}

const badName = (wrong: string) =>
  new Problem('invalid-request', `A folder name ${wrong}.`, {
    extra: { errors: [{ path: '/name', message: wrong }] },
  })
