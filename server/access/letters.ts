import type { Language } from '../../contract/words.ts'
import { harmlessWords } from '../mail/harmless-words.ts'
import { letter } from '../mail/letter.ts'
import type { Message } from '../mail/mailer.ts'

const words = {
  en: {
    hello: (name: string) => `Hello ${name},`,
    closing: 'The link works once, and for an hour. If you did not expect this mail, you can ignore it.',
    reset: {
      subject: 'Choose a new password',
      text: 'somebody, probably you, asked for a new password for the asset library.',
      label: 'Choose a new password',
    },
    invitation: {
      subject: 'Your login for the asset library',
      text: 'you have been given a login for the asset library. Choose a password to begin.',
      label: 'Choose a password',
    },
    email: {
      subject: 'Confirm your e-mail address',
      text: 'this is to become the address you sign in to the asset library with.',
      label: 'Confirm this address',
    },
    changed: {
      subject: 'Your e-mail address was changed',
      text: 'you now sign in to the asset library with another e-mail address. If that was not you, tell your administrator at once.',
    },
    wrongCodes: {
      subject: 'Wrong codes at your login',
      text: 'somebody entered your password for the asset library and then several wrong codes. If that was not you, your password is known: change it now, under “Your account”, and tell your administrator.',
    },
  },
  de: {
    hello: (name: string) => `Hallo ${name},`,
    closing:
      'Der Link gilt einmal und eine Stunde lang. Wenn Sie diese Nachricht nicht erwartet haben, können Sie sie ignorieren.',
    reset: {
      subject: 'Neues Passwort wählen',
      text: 'jemand, vermutlich Sie, hat für die Medienbibliothek ein neues Passwort angefordert.',
      label: 'Neues Passwort wählen',
    },
    invitation: {
      subject: 'Ihr Zugang zur Medienbibliothek',
      text: 'Sie haben einen Zugang zur Medienbibliothek bekommen. Wählen Sie zum Beginnen ein Passwort.',
      label: 'Passwort wählen',
    },
    email: {
      subject: 'E-Mail-Adresse bestätigen',
      text: 'mit dieser Adresse sollen Sie sich künftig bei der Medienbibliothek anmelden.',
      label: 'Adresse bestätigen',
    },
    changed: {
      subject: 'Ihre E-Mail-Adresse wurde geändert',
      text: 'Sie melden sich bei der Medienbibliothek jetzt mit einer anderen E-Mail-Adresse an. Wenn Sie das nicht waren, sagen Sie es sofort Ihrer Administration.',
    },
    wrongCodes: {
      subject: 'Falsche Codes bei Ihrer Anmeldung',
      text: 'jemand hat Ihr Passwort für die Medienbibliothek eingegeben und danach mehrere falsche Codes. Wenn Sie das nicht waren, ist Ihr Passwort bekannt: Ändern Sie es jetzt unter „Ihr Konto“, und sagen Sie es Ihrer Administration.',
    },
  },
} satisfies Record<Language, unknown>

const withLink =
  (kind: 'reset' | 'invitation' | 'email') =>
  (to: string, language: Language, name: string, url: string): Message => {
    const { hello, closing, [kind]: its } = words[language]
    const { subject, text, label } = its
    return letter({
      to,
      language,
      subject,
      lines: [hello(harmlessWords(name)), text],
      action: { label, url },
      closing,
    })
  }

export const resetLetter = withLink('reset')
export const invitationLetter = withLink('invitation')
export const emailLetter = withLink('email')

const withoutLink =
  (kind: 'changed' | 'wrongCodes') =>
  (to: string, language: Language, name: string): Message => {
    const { hello, [kind]: its } = words[language]
    return letter({ to, language, subject: its.subject, lines: [hello(harmlessWords(name)), its.text] })
  }

export const emailChangedLetter = withoutLink('changed')
export const wrongCodesLetter = withoutLink('wrongCodes')
