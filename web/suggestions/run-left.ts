import type { Library } from '../library/library.tsx'

/** The run that the page is at is kept here, to be found again after a reload. It is small: the library page always loads it. */
export const runKept = ({ base }: Library) => `suggestions ${base}`

export const hasRunLeft = (library: Library) => sessionStorage.getItem(runKept(library)) !== null
