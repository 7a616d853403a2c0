const en = {
  title: 'Texts',
  lead: 'Titles, alt texts, descriptions and tags as a table. What you type is saved cell by cell.',
  back: 'Back to the assets',
  file: 'File',
  folder: 'Folder',
  everything: 'All folders',
  search: 'Search',
  withoutFolders: 'without its folders',
  withFolders: 'with all folders in it',
  alsoFolders: 'Also what is in its folders',
  columns: { title: 'Title', altText: 'Alt text', description: 'Description', tags: 'Tags' },
  cellOf: (column: string, name: string) => `${column} of ${name}`,
  rows: (count: number, shown: string) => (count === 1 ? '1 row' : `${shown} rows`),
  cutOff: 'Not saved yet: the server cannot be reached. It is tried again.',
  typing: 'Not saved yet',
  saving: 'Saving…',
  saved: 'Saved',
  allSaved: 'Everything is saved',
  unsaved: (cells: number) =>
    cells === 1 ? 'One cell is not saved: show it' : `${cells} cells are not saved: show the first`,
  leaveTitle: 'Leave the table?',
  leaveText: (cells: number) =>
    `${cells === 1 ? 'One cell is' : `${cells} cells are`} not saved. What you typed there is lost if you leave.`,
  leave: (cells: number) => `Leave and lose ${cells === 1 ? '1 cell' : `${cells} cells`}`,
  stay: 'Stay',
  undo: 'Undo',
  undone: (cells: number) => (cells === 1 ? 'One cell is as it was.' : `${cells} cells are as they were.`),
  nothingToUndo: 'There is nothing to undo.',
  exportCsv: 'Export CSV',
  importCsv: 'Import CSV',
  tooLong: (most: number) => `Not saved: ${most} characters at most.`,
  titleNeeded: 'Not saved: every asset has a title.',
  badTags: (most: number) => `Not saved: ${most} tags at most, of 60 characters each.`,
  replaced: (cells: number) => (cells === 1 ? 'One cell replaced.' : `${cells} cells replaced.`),
  notFitted: (rows: number) =>
    rows === 1
      ? 'One row was beyond the end of the table.'
      : `${rows} rows were beyond the end of the table.`,
  columnsNotFitted: (columns: number) =>
    columns === 1
      ? 'One column was beyond the end of the table.'
      : `${columns} columns were beyond the end of the table.`,
  empty: 'Nothing is here',
  emptyText: 'Search for something else, or choose another folder.',
  emptyButFolders: 'What there is may be in its folders.',
  showAll: 'Show all folders',
  importTitle: 'Import texts',
  reading: 'The file is being compared…',
  notOurs: 'This is not a table that was exported here: its first row has to name the column id.',
  changes: (cells: number, rows: number) =>
    cells === 0
      ? 'Nothing would change.'
      : `${cells === 1 ? 'One cell' : `${cells} cells`} in ${rows === 1 ? 'one row' : `${rows} rows`} would change.`,
  problems: (rows: number) => (rows === 1 ? 'One row is left out:' : `${rows} rows are left out:`),
  row: (number: number) => `Row ${number}`,
  gone: 'No such asset is here.',
  changedMeanwhile: 'Not saved: somebody else has changed it too.',
  inTrash: 'Not saved: the asset is in the trash now.',
  deleted: 'Not saved: the asset was deleted for good.',
  notSaved: (why: string) => `Not saved. ${why}`,
  discard: 'Discard',
  changedSince: 'It was changed after the export.',
  twice: 'It is there twice.',
  apply: 'Change them',
  cancel: 'Cancel',
  more: (count: number) => `and ${count} more`,
}
export default en
export type SheetWords = typeof en
