import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Asset } from '../../contract/assets.ts'
import { Section } from '../assets/section.tsx'
import { useLibrary } from '../library/library.tsx'
import { useFocusKept } from '../ui/focus.ts'
import { CommentForm } from './comment-form.tsx'
import { CommentList, goesOn } from './comment-list.tsx'
import { DecisionOf } from './decision.tsx'
import { useDraft, useWantedChanges } from './drafts.ts'
import './review.css'

interface AssetReviewProps {
  asset: Asset
  /** The picture shows large beside it. */
  isLarge: boolean
  /** Whoever comes for it finds it without scrolling. */
  isWanted: boolean
  /** They have said yes or no to it. */
  onDecided?: ((asset: Asset) => void) | undefined
}

/** What people say of an asset: the decision on its version, and the comments. */
export function AssetReview({ asset, isLarge, isWanted, onDecided }: AssetReviewProps) {
  const t = useTranslations('review')
  const { can } = useLibrary()
  const top = useRef<HTMLDivElement>(null)
  const [draft] = useDraft(asset.assetId)
  const [writing, setWriting] = useState(isLarge || draft.text !== '')
  const [wanted] = useWantedChanges(asset.assetId)
  const [changing, setChanging] = useState(wanted.text !== '')
  const unsent = useRef<() => Promise<unknown>>(undefined)
  const mayReview = can('reviews:write') && !asset.trashedAt
  useFocusKept(top, goesOn)
  useEffect(() => {
    if (isWanted) top.current!.scrollIntoView()
  }, [isWanted])
  return (
    <div ref={top} className="asset-review">
      <Section title={t('title')}>
        <DecisionOf
          asset={asset}
          changing={changing}
          unsent={unsent}
          onChanging={setChanging}
          onDecided={onDecided}
        />
        <CommentList asset={asset} isLarge={isLarge} onLeft={() => setWriting(true)} />
        {mayReview && !writing && !changing && (
          <Button
            variant="subtle"
            size="compact-sm"
            className="comments-write"
            onClick={() => setWriting(true)}
          >
            {t('comment')}
          </Button>
        )}
        {mayReview && writing && !changing && (
          <CommentForm
            asset={asset}
            isLarge={isLarge}
            onDone={isLarge ? undefined : () => setWriting(false)}
            sender={unsent}
          />
        )}
      </Section>
    </div>
  )
}
