import { Fragment } from 'react'
import type { FoundField, FoundIn, Piece } from './found-in.ts'

/** In one line, where it was found. However little room there is, the first of the words stays in sight. */
export function WhyFound({
  found,
  labels,
  act,
}: {
  found: FoundIn[]
  labels: Record<FoundField, string>
  /** What a click on it does. */
  act?: string | undefined
}) {
  if (found.length === 0) return null
  const pieces = found.flatMap(({ field, pieces: its }, at) => [
    plain(`${at > 0 ? ' · ' : ''}${labels[field]}${its.length > 0 ? ': ' : ''}`),
    ...its,
  ])
  const text = pieces.map((piece) => piece.text).join('')
  const word = pieces.findIndex(({ isWord }) => isWord)
  return (
    <span className="found-in" title={text} data-act={act}>
      {word < 0 ? (
        <bdi>{text}</bdi>
      ) : (
        <>
          <span className="unseen">{text}</span>
          <Pieces pieces={pieces.slice(0, word)} />
          <Pieces pieces={[pieces[word]!]} />
          <Pieces pieces={pieces.slice(word + 1)} />
        </>
      )}
    </span>
  )
}

const plain = (text: string): Piece => ({ text, isWord: false })

const Pieces = ({ pieces }: { pieces: Piece[] }) => (
  <bdi aria-hidden>
    <Marked pieces={pieces} />
  </bdi>
)

/** A text with its words marked. */
export const Marked = ({ pieces }: { pieces: Piece[] }) =>
  pieces.map(({ text, isWord }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other name than their place in it
    <Fragment key={at}>{isWord ? <mark>{text}</mark> : text}</Fragment>
  ))
