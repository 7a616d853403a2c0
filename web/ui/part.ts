import { type ComponentProps, type ComponentType, createElement, lazy, type ReactNode, Suspense } from 'react'
import { onceThere } from '../once-there.ts'
import { Opening } from './opening.tsx'

interface Closing {
  opened?: boolean
  onClose?(): void
}

/** A component in a file that is loaded when it is first shown. Until it is there, one that can be closed can be cancelled. */
// biome-ignore lint/suspicious/noExplicitAny: of any component
export function partOf<Room extends { [Each in Name]: ComponentType<any> }, Name extends string>(
  load: () => Promise<Room>,
  name: Name,
): (props: ComponentProps<Room[Name]>) => ReactNode {
  const begin = () => {
    const given = new AbortController()
    const loading = async () => ({ default: (await onceThere(load, { unwanted: given.signal }))[name] })
    return { Loaded: lazy(loading), giveUp: () => given.abort() }
  }
  let part = begin()

  return function Part(props) {
    const { Loaded, giveUp } = part
    const { opened, onClose }: Closing = props
    const shown = createElement(Loaded, props)
    if (!onClose) return shown

    function cancel() {
      // What is there while it is closed, too, is wanted all the same.
      if (opened === undefined) {
        giveUp()
        part = begin()
      }
      onClose!()
    }
    const fallback = opened !== false && createElement(Opening, { onCancel: cancel })
    return createElement(Suspense, { fallback }, shown)
  }
}
