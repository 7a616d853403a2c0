import type en from './picker.en.ts'

const de: typeof en = {
  name: 'Medienbibliothek',
  search: 'Medien suchen',
  surface: 'Verwendbar auf',
  anywhere: 'Überall',
  surfaces: { website: 'Website', social: 'Social Media', gbp: 'Google-Profil' },
  folder: 'Ordner',
  allFolders: 'Alle Ordner',
  assets: 'Medien',
  video: 'Video',
  rightsEnded: 'Rechte abgelaufen',
  looking: 'Wird gesucht …',
  found: (count, more) => (more ? `Mehr als ${count} Dateien` : count === 1 ? '1 Datei' : `${count} Dateien`),
  nothing: 'Nichts gefunden. Versuchen Sie weniger Wörter oder einen anderen Ordner.',
  failed: 'Die Bibliothek antwortet nicht.',
  retry: 'Noch einmal versuchen',
  chosen: (count) => `${count} ausgewählt`,
  none: 'Noch nichts ausgewählt',
  clear: 'Nichts auswählen',
  cancel: 'Abbrechen',
  use: (count) => (count > 1 ? `Diese ${count} verwenden` : 'Verwenden'),
  signInTitle: 'Zum Auswählen anmelden',
  signInText:
    'Die Bibliothek öffnet sich in einem eigenen Fenster. Diese Seite sieht nur, was Sie auswählen.',
  signedOutText: 'Ihre Anmeldung ist zu Ende. Melden Sie sich noch einmal an.',
  signIn: 'Anmelden',
  blocked:
    'Ihr Browser lässt das Fenster nicht aufgehen. Erlauben Sie es für diese Seite und versuchen Sie es noch einmal.',
  allowTitle: (host) => `Medien für ${host} auswählen?`,
  allowText: (person) => `Sie sind als ${person} angemeldet. Die Auswahl öffnet sich auf jener Seite.`,
  allowBounds:
    'Die Seite erfährt nur, was Sie auswählen. Sie kann nichts ändern, und mit Ihrer Abmeldung ist es zu Ende.',
  client: 'Kunde',
  clientNeeded: 'Wählen Sie einen Kunden.',
  goOn: 'Weiter',
  signedIn: 'Sie sind angemeldet',
  signedInText: 'Schließen Sie dieses Fenster und drücken Sie auf der Seite noch einmal „Anmelden“.',
  notAlone: 'Diese Auswahl gehört auf eine andere Seite. Öffnen Sie die Bibliothek selbst.',
  openLibrary: 'Bibliothek öffnen',
  sent: 'Ihre Auswahl steht im Chat.',
  again: 'Noch einmal auswählen',
  notSent: 'Der Chat nimmt Ihre Auswahl nicht an. Kopieren Sie sie von hier.',
  message: (picked) =>
    `Verwende ${picked.length === 1 ? 'diese Datei' : 'diese Dateien'}: ${picked.map(({ title, assetRef }) => `${title} (${assetRef})`).join(', ')}`,
}
export default de
