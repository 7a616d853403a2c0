import type { SuggestionWords } from './suggestions.en.ts'

const de: SuggestionWords = {
  title: 'Vorgeschlagene Texte',
  hint: 'Worte eines Modells. Sie sind nirgends sonst zu sehen, bis Sie sie übernehmen.',
  fields: { title: 'Titel', altText: 'Alternativtext', tags: 'Schlagwörter' },
  by: (model, day) => `${model}, ${day}`,
  ask: 'Texte vorschlagen',
  notAsked: 'Texte vorschlagen zu lassen hat nicht geklappt.',
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
  decided: {
    accept: (field) => `${field} übernommen`,
    decline: (field) => `${field} abgelehnt`,
  },
  suggested: 'Vorschlag',
  keys: 'Alt+Y übernimmt, Alt+N lehnt ab.',
  acceptAll: (count) => `Alle gezeigten übernehmen (${count})`,
  acceptedMany: (count) => (count === 1 ? 'Ein Text übernommen.' : `${count} Texte übernommen.`),
  notAccepted: (count) =>
    count === 1 ? 'Einer konnte nicht übernommen werden.' : `${count} konnten nicht übernommen werden.`,
  askedAbout: (count) => (count === 1 ? 'Ein Bild angesehen.' : `${count} Bilder angesehen.`),
  decide: 'Entscheiden Sie darüber in den Details oder in der Tabelle der Texte.',
  tooMany: (most) =>
    `Zu höchstens ${most.toLocaleString('de')} wird ein Modell befragt. Suchen Sie nach weniger.`,
  settings: {
    title: 'Einsatz von KI',
    modes: {
      off: 'Nie',
      'on-request': 'Wenn jemand darum bittet',
      'on-upload': 'Wenn jemand darum bittet, und zu jeder neuen Datei',
    },
    modesOfWords: { off: 'Nicht erlaubt', 'on-request': 'Erlaubt' },
    leaves: (host) => `Mit Ihrer Einwilligung verlässt dies das Haus und geht allein an ${host}:`,
    sent: {
      pictures: (model) =>
        `Bilder, für vorgeschlagene Texte (${model}): von jedem, zu dem gefragt wird, eine Vorschau von höchstens 1024 Pixeln ohne Metadaten; von einem Film sein Standbild. Kein Original, kein Dateiname und kein Text geht mit. Was zurückkommt, ist ein Vorschlag und wird nirgends verwendet, bis ein Mensch es übernimmt.`,
      words: (model) =>
        `Worte, für die Suche nach Bedeutung (${model}): Titel, Alternativtexte, Schlagwörter und Beschreibungen aller Dateien, in Bildern gelesener Text, und wonach gesucht wird.`,
    },
    kinds: { pictures: 'Bilder', words: 'Worte' },
    notYet: (kinds) =>
      `Als die Einwilligung gegeben wurde, war davon nicht die Rede: ${kinds}. Das wird nicht gesendet, bis Sie es erlauben.`,
    allowToo: 'Auch das erlauben',
    language: 'Sprache, in der geschrieben wird',
    today: (asked, limit) =>
      limit === null ? `Heute zu ${asked} befragt.` : `Heute zu ${asked} von ${limit} befragt.`,
    saved: 'Gespeichert.',
  },
}
export default de
