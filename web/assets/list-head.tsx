// biome-ignore-all lint/a11y/useSemanticElements: the head of a grid that is no table
// biome-ignore-all lint/a11y/useFocusableInteractive: the buttons in it take the focus
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import type { Sort } from '../../contract/search.ts'

/** The way a column sorts first, and the other way round. */
const ways = {
  title: ['title', 'title-desc'],
  size: ['size', 'size-asc'],
  added: ['newest', 'oldest'],
  deleted: ['trashed', 'trashed-asc'],
} as const satisfies Record<string, [Sort, Sort]>
const upwards: Sort[] = ['title', 'size-asc', 'oldest', 'trashed-asc']

/** As the style sheet has it, with its line. */
export const headHeight = 33

/** The columns that have a head, and behind them the one of the menus. */
export const listColumns = 7

/** The columns of the list. Pressing one sorts by it, pressing it again turns it round. */
export function ListHead({
  sort,
  isTrash,
  onSort,
}: {
  sort: Sort | undefined
  isTrash: boolean
  onSort(sort: Sort): void
}) {
  const t = useTranslations('columns')
  const sortable = (column: keyof typeof ways) => {
    const [first, other] = ways[column]
    const on = sort === first || sort === other
    const isUp = sort !== undefined && upwards.includes(sort)
    const Arrow = isUp ? ArrowUp : ArrowDown
    return {
      'aria-sort': on ? (isUp ? ('ascending' as const) : ('descending' as const)) : undefined,
      children: (
        <button type="button" onClick={() => onSort(sort === first ? other : first)}>
          {t(column)}
          {on && <Arrow size={13} aria-hidden />}
        </button>
      ),
    }
  }
  return (
    <div role="row" className="line-head" aria-rowindex={1}>
      <div role="presentation">
        <Column at="words" index={1} {...sortable('title')} />
        <Column at="badges" index={2}>
          {t('surfaces')}
        </Column>
        <Column at="place" index={3}>
          {t('place')}
        </Column>
        <Column at="type" index={4}>
          {t('type')}
        </Column>
        <Column at="size" index={5} {...sortable('size')} />
        <Column at="date" index={6} {...sortable(isTrash ? 'deleted' : 'added')} />
      </div>
    </div>
  )
}

const Column = ({
  at,
  index,
  children,
  ...aria
}: {
  at: string
  index: number
  children: ReactNode
  'aria-sort'?: 'ascending' | 'descending'
}) => (
  <span role="columnheader" aria-colindex={index} className={`line-${at}`} {...aria}>
    {children}
  </span>
)
