import { type ComponentProps, useLayoutEffect, useRef } from 'react'
import { loadInTurn } from './in-turn.ts'

/** One picture of many: it waits for its turn, so that all of them together leave room for other requests. */
export function Thumbnail({
  src,
  srcSet,
  alt,
  ...rest
}: Omit<ComponentProps<'img'>, 'ref'> & { src: string; alt: string }) {
  const image = useRef<HTMLImageElement>(null)
  useLayoutEffect(() => loadInTurn(image.current!, src, srcSet), [src, srcSet])
  return <img ref={image} alt={alt} {...rest} />
}
