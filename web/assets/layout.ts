/** How folders and, below them, assets stand in rows. Indexes count folders first, then assets. */
export interface Layout {
  columns: number
  folderRows: number
  rowCount: number
  count: number
  rowOf(index: number): number
  columnOf(index: number): number
  /** The index at a row and column; the last of the row where it is shorter. */
  at(row: number, column: number): number
  /** The first index of a row, and the one behind its last. */
  span(row: number): [from: number, to: number]
}

export function layoutOf(folders: number, assets: number, columns: number): Layout {
  const folderRows = Math.ceil(folders / columns)
  const rowCount = folderRows + Math.ceil(assets / columns)
  const count = folders + assets
  const inFolders = (index: number) => index < folders
  const span = (row: number): [number, number] =>
    row < folderRows
      ? [row * columns, Math.min((row + 1) * columns, folders)]
      : [folders + (row - folderRows) * columns, Math.min(folders + (row - folderRows + 1) * columns, count)]
  return {
    columns,
    folderRows,
    rowCount,
    count,
    rowOf: (index) =>
      inFolders(index) ? Math.floor(index / columns) : folderRows + Math.floor((index - folders) / columns),
    columnOf: (index) => (inFolders(index) ? index : index - folders) % columns,
    at(row, column) {
      const [from, to] = span(Math.max(0, Math.min(row, rowCount - 1)))
      return Math.min(from + column, to - 1)
    },
    span,
  }
}

/** Where a key takes the focus, or nothing if the key does not move it. */
export function moved(layout: Layout, index: number, key: string, rowsPerPage: number): number | undefined {
  const { rowOf, columnOf, at, count } = layout
  if (count === 0) return undefined
  if (index < 0) return key in steps ? 0 : undefined
  const row = rowOf(index)
  const column = columnOf(index)
  switch (key) {
    case 'ArrowLeft':
      return Math.max(0, index - 1)
    case 'ArrowRight':
      return Math.min(count - 1, index + 1)
    case 'ArrowUp':
      return row === 0 ? index : at(row - 1, column)
    case 'ArrowDown':
      return row === layout.rowCount - 1 ? index : at(row + 1, column)
    case 'PageUp':
      return at(row - rowsPerPage, column)
    case 'PageDown':
      return at(row + rowsPerPage, column)
    case 'Home':
      return 0
    case 'End':
      return count - 1
  }
}

const steps = {
  ArrowLeft: 0,
  ArrowRight: 0,
  ArrowUp: 0,
  ArrowDown: 0,
  PageUp: 0,
  PageDown: 0,
  Home: 0,
  End: 0,
}
