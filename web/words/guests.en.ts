/** What people without an account are told, in English. `guests.de.ts` has the same shape. */
const en = {
  name: 'Asset Library',
  files: (count: number, shown: string) => (count === 1 ? '1 file' : `${shown} files`),
  until: (day: string) => `Available until ${day}`,
  downloadAll: 'Download all',
  download: 'Download',
  downloadOf: (title: string) => `Download ${title}`,
  preparing: (done: number, all: number) => `Preparing ${done} of ${all}…`,
  show: (title: string) => `Show ${title}`,
  play: (title: string) => `Play ${title}`,
  close: 'Close',
  previous: 'Previous',
  next: 'Next',
  position: (at: number, all: string) => `${at} of ${all}`,
  noPicture: 'No preview',
  cannotPlay: 'Your browser cannot play this film.',
  emptyTitle: 'Nothing here at the moment',
  emptyText: 'What was shared has been moved or taken away. Ask the person who sent you this link.',
  goneTitle: 'This link no longer works',
  goneText:
    'It has expired, was withdrawn, or is not complete. Ask the person who sent it to you for a new one.',
  passwordTitle: 'This link has a password',
  passwordText: 'Enter the password you were given with it.',
  password: 'Password',
  open: 'Open',
  wrongPassword: 'That is not the password of this link.',
  tooMany: 'Too many attempts. Wait a quarter of an hour, then try again.',
  failedTitle: 'This could not be loaded',
  failedText: 'Check the connection, then try again.',
  retry: 'Try again',
}

export default en
