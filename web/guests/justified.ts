export interface Row {
  /** The first picture of the row, and the one after its last. */
  from: number
  to: number
  height: number
}

const mostLarger = 1.3

/**
 * Rows of one width whose pictures keep their shape: each row is as high as its pictures let it be. The last one stays
 * short rather than be blown up to fill the width.
 */
export function justified(ratios: number[], width: number, wanted: number, gap: number): Row[] {
  const rows: Row[] = []
  let from = 0
  let sum = 0
  ratios.forEach((ratio, at) => {
    sum += ratio
    const height = (width - gap * (at - from)) / sum
    if (height > wanted) return
    rows.push({ from, to: at + 1, height })
    from = at + 1
    sum = 0
  })
  if (from < ratios.length) {
    const filled = (width - gap * (ratios.length - 1 - from)) / sum
    rows.push({ from, to: ratios.length, height: filled <= wanted * mostLarger ? filled : wanted })
  }
  return rows
}
