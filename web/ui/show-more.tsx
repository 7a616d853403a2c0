import { Button } from '@mantine/core'
import { useTranslations } from 'use-intl'
import './list-notes.css'

/** Below a list that is read page by page: asks for the next page, if there is one. */
export function ShowMore({
  list,
}: {
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage(): void }
}) {
  const t = useTranslations('access')
  if (!list.hasNextPage) return null
  return (
    <Button
      variant="default"
      className="show-more"
      loading={list.isFetchingNextPage}
      onClick={() => list.fetchNextPage()}
    >
      {t('showMore')}
    </Button>
  )
}
