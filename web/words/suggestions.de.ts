import type { SuggestionWords } from './suggestions.en.ts'

const de: SuggestionWords = {
  title: 'Vorgeschlagene Texte',
  hint: 'Worte eines Modells. Sie sind nirgends sonst zu sehen, bis Sie sie übernehmen.',
  fields: { title: 'Titel', altText: 'Alternativtext', tags: 'Schlagwörter' },
  by: (model, day) => `${model}, ${day}`,
  ask: 'Texte vorschlagen',
  askAgain: 'Neu vorschlagen',
  accepting: 'Vorschläge werden übernommen …',
  asking: 'Das Modell sieht es sich an …',
  nothing: 'Das Modell hatte nichts hinzuzufügen.',
  accept: 'Übernehmen',
  acceptOf: (field) => `${field} übernehmen`,
  edit: 'Bearbeiten',
  editOf: (field) => `${field} bearbeiten`,
  decline: 'Ablehnen',
  declineOf: (field) => `${field} ablehnen`,
  save: 'So übernehmen',
  cancel: 'Abbrechen',
  changedSince: (now) => `Inzwischen hat jemand geschrieben: „${now}“. Übernehmen ersetzt das.`,
  changedAgain: 'Gerade hat jemand etwas geschrieben. Sehen Sie es sich noch einmal an.',
  accepted: (field) => `${field} übernommen`,
  suggested: 'Vorschlag',
  keys: 'Alt+Y übernimmt, Alt+N lehnt ab.',
  acceptAll: (count) => `Alle gezeigten übernehmen (${count})`,
  acceptedMany: (count) => (count === 1 ? 'Ein Text übernommen.' : `${count} Texte übernommen.`),
  notAccepted: (count) =>
    count === 1 ? 'Einer konnte nicht übernommen werden.' : `${count} konnten nicht übernommen werden.`,
  askedAbout: (count) => (count === 1 ? 'Ein Bild angesehen.' : `${count} Bilder angesehen.`),
  settings: {
    title: 'Textvorschläge eines Modells',
    mode: 'Wann ein Modell befragt wird',
    modes: {
      off: 'Nie',
      'on-request': 'Wenn jemand darum bittet',
      'on-upload': 'Wenn jemand darum bittet, und zu jeder neuen Datei',
    },
    leaves: (model, host) =>
      `Was das Haus verlässt: von jedem Bild, zu dem gefragt wird, eine Vorschau von höchstens 1024 Pixeln ohne Metadaten, von einem Film sein Standbild. Sie geht an ${host} (${model}). Kein Original, kein Dateiname und kein Text geht mit. Was zurückkommt, wird als Vorschlag gezeigt und nirgends verwendet, bis ein Mensch es übernimmt.`,
    language: 'Sprache, in der geschrieben wird',
    today: (asked, limit) =>
      limit === null ? `Heute zu ${asked} befragt.` : `Heute zu ${asked} von ${limit} befragt.`,
    saved: 'Gespeichert.',
  },
}
export default de
