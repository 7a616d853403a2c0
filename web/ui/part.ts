import { type ComponentType, lazy } from 'react'
import { onceThere } from '../once-there.ts'

/** A component in a file that is loaded when it is first shown. */
// biome-ignore lint/suspicious/noExplicitAny: of any component
export const partOf = <Room extends { [Each in Name]: ComponentType<any> }, Name extends string>(
  load: () => Promise<Room>,
  name: Name,
) => lazy(async () => ({ default: (await onceThere(load))[name] }))
