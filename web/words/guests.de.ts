import type en from './guests.en.ts'

const de: typeof en = {
  name: 'Medienbibliothek',
  files: (count, shown) => (count === 1 ? '1 Datei' : `${shown} Dateien`),
  until: (day) => `Verfügbar bis ${day}`,
  downloadAll: 'Alle herunterladen',
  download: 'Herunterladen',
  downloadOf: (title) => `${title} herunterladen`,
  preparing: (done, all) => `${done} von ${all} vorbereitet …`,
  show: (title) => `${title} ansehen`,
  play: (title) => `${title} abspielen`,
  close: 'Schließen',
  previous: 'Vorheriges',
  next: 'Nächstes',
  position: (at, all) => `${at} von ${all}`,
  noPicture: 'Keine Vorschau',
  cannotPlay: 'Ihr Browser kann diesen Film nicht abspielen.',
  emptyTitle: 'Hier ist gerade nichts',
  emptyText:
    'Was geteilt wurde, ist verschoben oder entfernt worden. Fragen Sie die Person, von der Sie den Link haben.',
  goneTitle: 'Dieser Link funktioniert nicht mehr',
  goneText:
    'Er ist abgelaufen, wurde zurückgezogen oder ist unvollständig. Bitten Sie die Person, von der Sie ihn haben, um einen neuen.',
  passwordTitle: 'Dieser Link hat ein Passwort',
  passwordText: 'Geben Sie das Passwort ein, das Sie dazu erhalten haben.',
  password: 'Passwort',
  open: 'Öffnen',
  wrongPassword: 'Das ist nicht das Passwort dieses Links.',
  tooMany: 'Zu viele Versuche. Warten Sie eine Viertelstunde, und versuchen Sie es dann erneut.',
  failedTitle: 'Das konnte nicht geladen werden',
  failedText: 'Prüfen Sie die Verbindung, und versuchen Sie es erneut.',
  retry: 'Erneut versuchen',
}

export default de
