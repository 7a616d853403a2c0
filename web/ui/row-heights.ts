/** How high rows are and where each begins: known beforehand, so a million of them cost as little as ten. */
export interface RowHeights {
  count: number
  total: number
  startOf(row: number): number
  endOf(row: number): number
  /** The row at this height, or the nearest one. */
  rowAt(y: number): number
}

interface Band {
  count: number
  height: number
  /** The space above its first row. */
  above?: number
}

/** Rows in bands, one below the other, each of rows of one height. */
export function rowHeights(bands: Band[], below = 0): RowHeights {
  const placed: { first: number; top: number; height: number }[] = []
  let count = 0
  let total = 0
  for (const band of bands) {
    if (band.count === 0) continue
    placed.push({ first: count, top: total + (band.above ?? 0), height: band.height })
    count += band.count
    total += (band.above ?? 0) + band.count * band.height
  }
  const bandOf = (row: number) =>
    placed.findLast(({ first }) => first <= row) ?? { first: 0, top: 0, height: 0 }
  const startOf = (row: number) => {
    const { first, top, height } = bandOf(row)
    return top + (row - first) * height
  }
  return {
    count,
    total: total + below,
    startOf,
    endOf: (row) => startOf(row) + bandOf(row).height,
    rowAt(y) {
      const band = placed.findLast(({ top }) => top <= y)
      const row = band ? band.first + Math.floor((y - band.top) / band.height) : 0
      return Math.max(0, Math.min(row, count - 1))
    },
  }
}
