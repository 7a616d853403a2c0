import { Alert, Button, Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useProblemText } from '../words/problem-text.ts'
import './list-notes.css'

/** In place of a list that has nothing to show. */
export function Nothing({
  icon,
  title,
  text,
  children,
  fills = false,
}: {
  icon: ReactNode
  title: string
  text?: string
  children?: ReactNode
  /** Takes all of the page's room, without a frame. */
  fills?: boolean
}) {
  const Heading = fills ? 'h2' : 'h3'
  return (
    <div className={fills ? 'nothing nothing-fills' : 'nothing'}>
      <span className="nothing-icon" aria-hidden>
        {icon}
      </span>
      <Heading>{title}</Heading>
      {text && <p>{text}</p>}
      {children && <div className="nothing-acts">{children}</div>}
    </div>
  )
}

/** Why a list is not there yet, if it is not. */
export function LoadState({
  query,
}: {
  query: { isError: boolean; isPending: boolean; error: unknown; refetch(): unknown }
}) {
  if (query.isError) return <LoadFailed error={query.error} onRetry={query.refetch} />
  return query.isPending && <LoadingRows />
}

function LoadFailed({ error, onRetry }: { error: unknown; onRetry(): void }) {
  const t = useTranslations('access')
  const words = useTranslations('app')
  const problemText = useProblemText()
  return (
    <Alert color="red" variant="light" title={t('loadFailed')}>
      <p className="load-failed">{problemText(error)}</p>
      <Button size="xs" variant="default" onClick={onRetry}>
        {words('retry')}
      </Button>
    </Alert>
  )
}

const LoadingRows = () => (
  <div className="loading-rows" aria-hidden>
    {[0, 1, 2, 3].map((row) => (
      <Skeleton key={row} height={62} radius={12} />
    ))}
  </div>
)
