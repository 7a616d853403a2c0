import type { Activity, ActivityPage } from '../../contract/activity.ts'

/** The lines of some pages: one that a page has cut is made whole with the next. */
export function linesOf(pages: ActivityPage[]): Activity[] {
  const lines: Activity[] = []
  for (const one of pages.flatMap((page) => page.activity)) {
    const { together: before, ...last } = lines.at(-1) ?? {}
    if (before?.more) lines.splice(-1, 1, { ...(last as Activity), together: joined(before, one) })
    else lines.push(one)
  }
  return lines
}

type Together = NonNullable<Activity['together']>

const joined = (before: Together, { together }: Activity): Together => ({
  ...before,
  count: before.count + (together?.count ?? 1),
  more: together?.more ?? false,
})
