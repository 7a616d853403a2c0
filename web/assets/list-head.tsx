// biome-ignore-all lint/a11y/useSemanticElements: the head of a grid that is no table
// biome-ignore-all lint/a11y/useFocusableInteractive: the buttons in it take the focus
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import type { Sort } from '../../contract/assets.ts'

/** The way a column sorts first, and the other way round. */
const ways = {
  title: ['title', 'title-desc'],
  size: ['size', 'size-asc'],
  added: ['newest', 'oldest'],
} as const satisfies Record<string, [Sort, Sort]>
const upwards: Sort[] = ['title', 'size-asc', 'oldest']

/** The columns of the list. Pressing one sorts by it, pressing it again turns it round. */
export function ListHead({ sort, onSort }: { sort: Sort; onSort(sort: Sort): void }) {
  const t = useTranslations('columns')
  const sortable = (column: keyof typeof ways) => {
    const [first, other] = ways[column]
    const on = sort === first || sort === other
    const Arrow = upwards.includes(sort) ? ArrowUp : ArrowDown
    return {
      'aria-sort': on
        ? upwards.includes(sort)
          ? ('ascending' as const)
          : ('descending' as const)
        : undefined,
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
        <Column at="words" {...sortable('title')} />
        <Column at="badges">{t('surfaces')}</Column>
        <Column at="place">{t('place')}</Column>
        <Column at="type">{t('type')}</Column>
        <Column at="size" {...sortable('size')} />
        <Column at="date" {...sortable('added')} />
      </div>
    </div>
  )
}

const Column = ({
  at,
  children,
  ...aria
}: {
  at: string
  children: ReactNode
  'aria-sort'?: 'ascending' | 'descending'
}) => (
  <span role="columnheader" className={`line-${at}`} {...aria}>
    {children}
  </span>
)
