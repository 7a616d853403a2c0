import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Person } from '../person.ts'
import { libraryOn, longWait } from '../web/app.ts'

/** Somebody at a browser: what they see, and the same asked of the API behind it. */
export function atWork(name: string, person: Person, page: Page) {
  const library = libraryOn(page)
  return {
    name,
    person,
    ...library,
    press: async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    },
    /** Waits until the screen is what the API says; a stale or dead one never is. */
    agrees: () => expect.poll(() => difference(person, page), { timeout: longWait }).toBe('none'),
    opens: async (folder: string | null) => {
      const name = folder ?? 'Library'
      const place = page.getByRole('navigation', { name: 'Folders' })
      const button = place.getByRole('button', { name, exact: true })
      await button.or(library.inTree(name)).first().click()
    },
    sorts: async (by: string) => {
      await page.getByRole('button', { name: /^Sort: / }).click()
      await page.getByRole('menuitemradio', { name: by }).click()
    },
  }
}
export type AtWork = ReturnType<typeof atWork>

interface Item {
  id: string
  name: string
}

async function difference(person: Person, page: Page): Promise<string> {
  const wanted = await wantedAt(person, new URL(page.url()).searchParams)
  const shown = await shownOn(page)
  if (wanted.length === 0 || shown.length === 0)
    return wanted.length === shown.length ? 'none' : `${shown.length} shown, ${wanted.length} there`
  const from = wanted.findIndex(({ id }) => id === shown[0]!.id)
  if (from < 0) return `“${shown[0]!.name}” is shown and not there`
  for (const [at, item] of shown.entries()) {
    const there = wanted[from + at]
    if (there?.id !== item.id || there.name !== item.name)
      return `at ${at} “${item.name}” is shown for “${there?.name}”`
  }
  return from === 0 && shown.length < Math.min(wanted.length, 4) ? 'some are not shown' : 'none'
}

async function wantedAt(person: Person, place: URLSearchParams): Promise<Item[]> {
  const folder = place.get('folder')
  const q = place.get('q')
  const { body } = await person.lists({
    limit: 200,
    ...(folder === 'trash'
      ? { trashed: true }
      : q
        ? { everywhere: true }
        : folder
          ? { folderId: folder }
          : {}),
    ...(q && { q }),
    ...(place.get('sort') && { sort: place.get('sort')! }),
  })
  return [
    ...(body.folders ?? []).map(({ folderId, name }: Record<string, string>) => ({ id: folderId, name })),
    ...(body.assets ?? []).map(({ assetId, title }: Record<string, string>) => ({
      id: assetId,
      name: title,
    })),
  ]
}

const shownOn = (page: Page): Promise<Item[]> =>
  page.locator('.grid-row [data-id]').evaluateAll((cells) =>
    cells.map((cell) => ({
      id: (cell as HTMLElement).dataset.id!,
      name: (
        cell.querySelector('.tile-title > span, .folder-tile-name > span')?.textContent ??
        cell.querySelector('input')?.value ??
        ''
      ).trim(),
    })),
  )
