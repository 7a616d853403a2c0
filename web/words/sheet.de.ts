import type { SheetWords } from './sheet.en.ts'

const de: SheetWords = {
  title: 'Texte',
  lead: 'Titel, Alternativtexte, Beschreibungen und Schlagwörter als Tabelle. Was Sie eingeben, wird Zelle für Zelle gespeichert.',
  back: 'Zurück zu den Medien',
  file: 'Datei',
  folder: 'Ordner',
  everything: 'Alle Ordner',
  search: 'Suche',
  withoutFolders: 'ohne die Ordner darin',
  withFolders: 'mit allen Ordnern darin',
  alsoFolders: 'Auch, was in den Ordnern darin liegt',
  columns: {
    title: 'Titel',
    altText: 'Alternativtext',
    description: 'Beschreibung',
    tags: 'Schlagwörter',
  },
  cellOf: (column, name) => `${column} von ${name}`,
  rows: (count, shown) => (count === 1 ? '1 Zeile' : `${shown} Zeilen`),
  cutOff: 'Noch nicht gespeichert: Der Server ist nicht erreichbar. Es wird wieder versucht.',
  typing: 'Noch nicht gespeichert',
  saving: 'Wird gespeichert…',
  saved: 'Gespeichert',
  allSaved: 'Alles ist gespeichert',
  unsaved: (cells) =>
    cells === 1
      ? 'Eine Zelle ist nicht gespeichert: zeigen'
      : `${cells} Zellen sind nicht gespeichert: die erste zeigen`,
  leaveTitle: 'Tabelle verlassen?',
  leaveText: (cells) =>
    `${cells === 1 ? 'Eine Zelle ist' : `${cells} Zellen sind`} nicht gespeichert. Was Sie dort eingegeben haben, geht verloren, wenn Sie die Tabelle verlassen.`,
  leave: (cells) => `Verlassen und ${cells === 1 ? '1 Zelle' : `${cells} Zellen`} verlieren`,
  stay: 'Bleiben',
  undo: 'Rückgängig',
  undone: (cells) => (cells === 1 ? 'Eine Zelle ist wie zuvor.' : `${cells} Zellen sind wie zuvor.`),
  nothingToUndo: 'Es gibt nichts zurückzunehmen.',
  exportCsv: 'CSV exportieren',
  importCsv: 'CSV importieren',
  tooLong: (most) => `Nicht gespeichert: höchstens ${most} Zeichen.`,
  titleNeeded: 'Nicht gespeichert: Jedes Medium hat einen Titel.',
  badTags: (most) => `Nicht gespeichert: höchstens ${most} Schlagwörter mit je 60 Zeichen.`,
  replaced: (cells) => (cells === 1 ? 'Eine Zelle ersetzt.' : `${cells} Zellen ersetzt.`),
  notFitted: (rows) =>
    rows === 1
      ? 'Eine Zeile lag hinter dem Ende der Tabelle.'
      : `${rows} Zeilen lagen hinter dem Ende der Tabelle.`,
  columnsNotFitted: (columns) =>
    columns === 1
      ? 'Eine Spalte lag hinter dem Ende der Tabelle.'
      : `${columns} Spalten lagen hinter dem Ende der Tabelle.`,
  empty: 'Hier ist nichts',
  emptyText: 'Suchen Sie nach etwas anderem, oder wählen Sie einen anderen Ordner.',
  emptyButFolders: 'Was es hier gibt, liegt vielleicht in den Ordnern darin.',
  showAll: 'Alle Ordner zeigen',
  importTitle: 'Texte importieren',
  reading: 'Die Datei wird verglichen…',
  notOurs: 'Das ist keine Tabelle, die hier exportiert wurde: Ihre erste Zeile muss die Spalte id nennen.',
  changes: (cells, rows) =>
    cells === 0
      ? 'Es würde sich nichts ändern.'
      : cells === 1
        ? 'Eine Zelle in einer Zeile würde sich ändern.'
        : `${cells} Zellen in ${rows === 1 ? 'einer Zeile' : `${rows} Zeilen`} würden sich ändern.`,
  problems: (rows) => (rows === 1 ? 'Eine Zeile bleibt aus:' : `${rows} Zeilen bleiben aus:`),
  row: (number) => `Zeile ${number}`,
  gone: 'Dieses Medium gibt es hier nicht.',
  changedMeanwhile: 'Nicht gespeichert: Auch jemand anders hat es geändert.',
  inTrash: 'Nicht gespeichert: Das Medium liegt jetzt im Papierkorb.',
  deleted: 'Nicht gespeichert: Das Medium wurde endgültig gelöscht.',
  notSaved: (why) => `Nicht gespeichert. ${why}`,
  discard: 'Verwerfen',
  changedSince: 'Es wurde nach dem Export geändert.',
  twice: 'Es kommt zweimal vor.',
  apply: 'Ändern',
  cancel: 'Abbrechen',
  more: (count) => `und ${count} weitere`,
}
export default de
