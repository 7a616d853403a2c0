/**
 * Browsers draw nothing taller than some 33 million pixels of the screen, or 3 million of the page where it is zoomed
 * five-fold on a dense screen. In a list that is taller, the bar leads to the same share of the list.
 */
const tallest = 3_000_000

/** This share of the bar, at either end, has room for scrolling on without a pause. */
const end = 0.01

export interface ScrollSpace {
  /** Of what is scrolled, for the browser. */
  height: number
  /** A bar that moves by at least as much was dragged: no wheel, key or finger goes as far at once. */
  leap: number
  /** Where the list stands when the bar is here. */
  toList(top: number): number
  /** Where the bar belongs when the list stands here. */
  toBar(offset: number): number
}

export function scrollSpace(total: number, view: number): ScrollSpace {
  if (total <= tallest) return { height: total, leap: 0, toList: same, toBar: same }
  const bar = tallest - view
  const list = total - view
  const exact = bar * end
  const stretch = (list - 2 * exact) / (bar - 2 * exact)
  return {
    height: tallest,
    // A thumb moves by a pixel of the screen at least, of which there may be three in one of the page.
    leap: bar / Math.max(1, view) / 4,
    toList(top) {
      if (top <= exact) return Math.max(0, top)
      if (top >= bar - exact) return list - (bar - top)
      return exact + (top - exact) * stretch
    },
    toBar(offset) {
      if (offset <= exact) return Math.max(0, offset)
      if (offset >= list - exact) return bar - (list - offset)
      return exact + (offset - exact) / stretch
    },
  }
}

const same = (at: number) => at
