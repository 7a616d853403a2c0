import { type Static, type TSchema, Type } from 'typebox'
import { BaseUrl, HttpUrl } from './http-url.ts'
import type { SignInProvider } from './sign-in.ts'
import { Strict, type Surface } from './words.ts'

/** As a header can carry it. */
export const AccessToken = Type.String({ maxLength: 4000, pattern: '^[!-~]+$', format: 'password' })

/** The systems that answer, by their own names: these are the same in every language. */
export const vendors = {
  wordpress: 'WordPress',
  gbp: 'Google',
  linkedin: 'LinkedIn',
  meta: 'Meta',
  instagram: 'Instagram',
  facebook: 'Facebook',
}

/** Said in each language where it is written: who adds a kind or a field says it once, and in all of them. */
type InEach<Said> = { en: Said; de: Said }

/** How long what a post says may be, or must be. */
export interface PostRules {
  text: { min: number; max: number }
}

const OwnerUrn = Type.String({
  pattern: '^urn:li:(organization|person):[A-Za-z0-9_-]{1,60}$',
  maxLength: 100,
})
const AccountNumber = Type.String({ pattern: '^[0-9]{1,40}$', maxLength: 40 })

/**
 * What each kind of connection is called and asks for, which setting says where it leads, on which surfaces its files are
 * shown, and whose rules they must fit. Settings are shown again; secrets never are. Where there is a provider, people sign in with it, or paste a token. Where there
 * are rules for a post, it is published at once, with what it says.
 */
export const connectionKinds = {
  wordpress: {
    words: {
      en: { name: 'WordPress', hint: 'Files go into the media library of a WordPress site.' },
      de: { name: 'WordPress', hint: 'Dateien kommen in die Mediathek einer WordPress-Website.' },
    },
    address: 'siteUrl',
    surfaces: ['website'],
    rules: 'wordpress',
    provider: undefined,
    settings: Strict({ siteUrl: BaseUrl }),
    secrets: Strict({
      // As RFC 7617 has them.
      username: Type.String({ maxLength: 200, pattern: '^[^:\\p{Cc}]+$' }),
      applicationPassword: Type.String({ maxLength: 4000, pattern: '^\\P{Cc}+$', format: 'password' }),
    }),
  },
  webhook: {
    words: {
      en: {
        name: 'Own system (webhook)',
        hint: 'Files are sent to an address of yours, signed so that you can trust them.',
      },
      de: {
        name: 'Eigenes System (Webhook)',
        hint: 'Dateien werden an eine Ihrer Adressen gesendet, signiert, damit Sie ihnen trauen können.',
      },
    },
    address: 'url',
    surfaces: ['website', 'social', 'gbp'],
    rules: undefined,
    provider: undefined,
    settings: Strict({
      url: HttpUrl,
      honoursIdempotencyKey: Type.Optional(
        Type.Boolean({
          description:
            'The receiver makes one thing of all requests with one Idempotency-Key, so a lost answer is asked for again.',
        }),
      ),
      asJson: Type.Optional(
        Type.Boolean({
          description:
            'One JSON text with the file in base64 as `data.file`, which any Standard Webhooks library verifies as it comes. Otherwise multipart/form-data of `message` and `file`, with a signature of the message and one of the whole body.',
        }),
      ),
    }),
    secrets: Strict({
      signingSecret: Type.String({
        pattern: '^whsec_[A-Za-z0-9+/]{32,}={0,2}$',
        maxLength: 200,
        format: 'password',
        description: 'whsec_ and the key in base64, at least 24 bytes.',
      }),
    }),
  },
  gbp: {
    words: {
      en: { name: 'Google Business Profile (photos)', hint: 'Photos go into the gallery of one location.' },
      de: { name: 'Google-Unternehmensprofil (Fotos)', hint: 'Fotos kommen in die Galerie eines Standorts.' },
    },
    address: 'locationId',
    surfaces: ['gbp'],
    rules: 'google-business-profile-gallery',
    provider: 'google',
    settings: Strict({
      accountId: AccountNumber,
      locationId: AccountNumber,
      category: Type.Optional(
        Type.Enum(['ADDITIONAL', 'EXTERIOR', 'INTERIOR', 'PRODUCT', 'AT_WORK', 'FOOD_AND_DRINK', 'TEAMS']),
      ),
      baseUrl: Type.Optional(BaseUrl),
    }),
    secrets: Strict({ accessToken: AccessToken }),
  },
  linkedin: {
    words: {
      en: {
        name: 'LinkedIn (files)',
        hint: 'Files are stored for a company page or a person; nothing is published.',
      },
      de: {
        name: 'LinkedIn (Dateien)',
        hint: 'Dateien werden für eine Unternehmensseite oder eine Person abgelegt; veröffentlicht wird nichts.',
      },
    },
    address: 'ownerUrn',
    surfaces: ['social'],
    rules: 'linkedin',
    provider: 'linkedin',
    settings: Strict({ ownerUrn: OwnerUrn, baseUrl: Type.Optional(BaseUrl) }),
    secrets: Strict({ accessToken: AccessToken }),
  },
  // Posts have up to 3,000 characters: learn.microsoft.com/linkedin, Posts API, 2026-11-15.
  'linkedin-posts': {
    words: {
      en: {
        name: 'LinkedIn (posts)',
        hint: 'Pictures or a film are published as a post of a company page or a person.',
      },
      de: {
        name: 'LinkedIn (Beiträge)',
        hint: 'Bilder oder ein Film werden als Beitrag einer Unternehmensseite oder einer Person veröffentlicht.',
      },
    },
    address: 'ownerUrn',
    surfaces: ['social'],
    rules: 'linkedin',
    provider: 'linkedin',
    post: { text: { min: 1, max: 3000 } },
    settings: Strict({ ownerUrn: OwnerUrn, baseUrl: Type.Optional(BaseUrl) }),
    secrets: Strict({ accessToken: AccessToken }),
  },
  // Updates have up to 1,500 characters: support.google.com/business, “Create posts”, 2026-11-15.
  'gbp-posts': {
    words: {
      en: {
        name: 'Google Business Profile (updates)',
        hint: 'A picture and a text are published as an update of one location.',
      },
      de: {
        name: 'Google-Unternehmensprofil (Beiträge)',
        hint: 'Ein Bild und ein Text werden als Beitrag eines Standorts veröffentlicht.',
      },
    },
    address: 'locationId',
    surfaces: ['gbp'],
    rules: 'google-business-profile-posts',
    provider: 'google',
    post: { text: { min: 1, max: 1500 } },
    settings: Strict({
      accountId: AccountNumber,
      locationId: AccountNumber,
      languageCode: Type.Optional(
        Type.String({ pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$', maxLength: 35, default: 'en' }),
      ),
      baseUrl: Type.Optional(BaseUrl),
    }),
    secrets: Strict({ accessToken: AccessToken }),
  },
  // Posts have up to 63,206 characters: developers.facebook.com/docs/pages-api/posts, 2026-11-15.
  'facebook-page': {
    words: {
      en: { name: 'Facebook page', hint: 'Pictures and reels are published on the page.' },
      de: { name: 'Facebook-Seite', hint: 'Bilder und Reels werden auf der Seite veröffentlicht.' },
    },
    address: 'pageId',
    surfaces: ['social'],
    rules: 'facebook-page',
    provider: 'meta',
    post: { text: { min: 0, max: 63_206 } },
    settings: Strict({ pageId: AccountNumber, baseUrl: Type.Optional(BaseUrl) }),
    secrets: Strict({ accessToken: AccessToken }),
  },
  // Captions have up to 2,200 characters: developers.facebook.com/docs/instagram-platform, IG User Media, 2026-11-15.
  instagram: {
    words: {
      en: {
        name: 'Instagram',
        hint: 'Pictures, carousels and reels are published on a professional account.',
      },
      de: {
        name: 'Instagram',
        hint: 'Bilder, Karussells und Reels werden auf einem professionellen Konto veröffentlicht.',
      },
    },
    address: 'userId',
    surfaces: ['social'],
    rules: 'instagram',
    provider: 'meta',
    post: { text: { min: 0, max: 2200 } },
    settings: Strict({ userId: AccountNumber, baseUrl: Type.Optional(BaseUrl) }),
    secrets: Strict({ accessToken: AccessToken }),
  },
} as const satisfies Record<
  string,
  {
    words: InEach<{ name: string; hint: string }>
    address: string
    surfaces: readonly Surface[]
    rules: string | undefined
    post?: PostRules
    provider: SignInProvider | undefined
    settings: TSchema
    secrets: TSchema
  }
>

export type ConnectionKind = keyof typeof connectionKinds
/** The rules for a post, where a delivery to this kind of connection is one. */
export const postRules = (kind: ConnectionKind): PostRules | undefined =>
  (connectionKinds[kind] as { post?: PostRules }).post
export const connectionKindNames = Object.keys(connectionKinds) as ConnectionKind[]
export type ConnectionSettings<Kind extends ConnectionKind> = Static<
  (typeof connectionKinds)[Kind]['settings']
>
export type ConnectionSecrets<Kind extends ConnectionKind> = Static<(typeof connectionKinds)[Kind]['secrets']>
/** Kinds that are signed in to. */
export type SignInKind = {
  [Kind in ConnectionKind]: (typeof connectionKinds)[Kind]['provider'] extends string ? Kind : never
}[ConnectionKind]

type Values = { [Kind in ConnectionKind]: ConnectionSettings<Kind> & ConnectionSecrets<Kind> }[ConnectionKind]
type NamesIn<Fields> = Fields extends unknown ? keyof Fields : never
type ValueIn<Fields, Name extends string> = Fields extends { [Key in Name]?: infer Value }
  ? NonNullable<Value>
  : never

/** Set over the API alone, where a gateway stands in front of the vendor. */
type Unseen = 'baseUrl'
export type FieldName = Exclude<NamesIn<Values>, Unseen>

/** A text may be malformed, one of several choices is called something, and yes or no needs a label alone. */
type FieldWords<Value> = [Value] extends [boolean]
  ? { label: string }
  : string extends Value
    ? { label: string; hint?: string; bad: string }
    : { label: string; choices: Record<Value & string, string> }

const digits = {
  en: { hint: 'Digits only.', bad: 'Enter the number only.' },
  de: { hint: 'Nur Ziffern.', bad: 'Geben Sie nur die Nummer ein.' },
}
const url = {
  en: { bad: 'Enter an address that starts with https:// or http://.' },
  de: { bad: 'Geben Sie eine Adresse ein, die mit https:// oder http:// beginnt.' },
}

/** What the form says of each field that a kind asks for. */
export const connectionFields = {
  siteUrl: {
    en: { label: 'Address of the site', hint: 'For example https://example.com', ...url.en },
    de: { label: 'Adresse der Website', hint: 'Zum Beispiel https://example.com', ...url.de },
  },
  url: {
    en: { label: 'Address to send to', hint: 'For example https://example.com/assets', ...url.en },
    de: { label: 'Adresse des Empfängers', hint: 'Zum Beispiel https://example.com/medien', ...url.de },
  },
  honoursIdempotencyKey: {
    en: { label: 'It makes one thing of repeated requests with the same Idempotency-Key' },
    de: { label: 'Er macht aus wiederholten Anfragen mit demselben Idempotency-Key nur eine Sache' },
  },
  asJson: {
    en: { label: 'Send one JSON text with the file in it, for Standard Webhooks libraries' },
    de: { label: 'Als einen JSON-Text mit der Datei darin senden, für Standard-Webhooks-Bibliotheken' },
  },
  accountId: {
    en: { label: 'Account number', ...digits.en },
    de: { label: 'Kontonummer', ...digits.de },
  },
  locationId: {
    en: { label: 'Location number', ...digits.en },
    de: { label: 'Standortnummer', ...digits.de },
  },
  category: {
    en: {
      label: 'Category of the photos',
      choices: {
        ADDITIONAL: 'General',
        EXTERIOR: 'From outside',
        INTERIOR: 'From inside',
        PRODUCT: 'Products',
        AT_WORK: 'At work',
        FOOD_AND_DRINK: 'Food and drink',
        TEAMS: 'Team',
      },
    },
    de: {
      label: 'Kategorie der Fotos',
      choices: {
        ADDITIONAL: 'Allgemein',
        EXTERIOR: 'Außenansicht',
        INTERIOR: 'Innenansicht',
        PRODUCT: 'Produkte',
        AT_WORK: 'Bei der Arbeit',
        FOOD_AND_DRINK: 'Essen und Trinken',
        TEAMS: 'Team',
      },
    },
  },
  ownerUrn: {
    en: {
      label: 'Page or person',
      hint: 'For example urn:li:organization:12345',
      bad: 'Enter it like urn:li:organization:12345.',
    },
    de: {
      label: 'Seite oder Person',
      hint: 'Zum Beispiel urn:li:organization:12345',
      bad: 'Geben Sie sie ein wie urn:li:organization:12345.',
    },
  },
  userId: {
    en: {
      label: 'Account number',
      ...digits.en,
      hint: 'The number of the professional account, digits only; not its name.',
    },
    de: {
      label: 'Kontonummer',
      ...digits.de,
      hint: 'Die Nummer des professionellen Kontos, nur Ziffern; nicht sein Name.',
    },
  },
  languageCode: {
    en: {
      label: 'Language of the posts',
      hint: 'For example en or de-AT. English unless you say otherwise.',
      bad: 'Enter a language like en or de-AT.',
    },
    de: {
      label: 'Sprache der Beiträge',
      hint: 'Zum Beispiel de oder de-AT. Englisch, wenn nichts angegeben ist.',
      bad: 'Geben Sie eine Sprache ein wie de oder de-AT.',
    },
  },
  pageId: {
    en: { label: 'Page number', ...digits.en },
    de: { label: 'Seitennummer', ...digits.de },
  },
  username: {
    en: { label: 'User name', bad: 'Enter it without a colon.' },
    de: { label: 'Benutzername', bad: 'Geben Sie ihn ohne Doppelpunkt ein.' },
  },
  applicationPassword: {
    en: {
      label: 'Application password',
      hint: 'Make one in WordPress under Users → Profile → Application passwords.',
      bad: 'Enter it in one line.',
    },
    de: {
      label: 'Anwendungspasswort',
      hint: 'In WordPress unter Benutzer → Profil → Anwendungspasswörter anlegen.',
      bad: 'Geben Sie es in einer Zeile ein.',
    },
  },
  signingSecret: {
    en: {
      label: 'Signing secret',
      hint: 'Starts with whsec_. The receiver needs the same one to check signatures.',
      bad: 'It starts with whsec_ and has at least 32 characters after that.',
    },
    de: {
      label: 'Signaturschlüssel',
      hint: 'Beginnt mit whsec_. Der Empfänger braucht denselben, um Signaturen zu prüfen.',
      bad: 'Er beginnt mit whsec_ und hat danach mindestens 32 Zeichen.',
    },
  },
  accessToken: {
    en: { label: 'Access token', bad: 'Enter letters, digits and signs only, without spaces in between.' },
    de: {
      label: 'Zugriffstoken',
      bad: 'Geben Sie nur Buchstaben ohne Umlaute, Ziffern und Zeichen ein, ohne Leerzeichen dazwischen.',
    },
  },
} satisfies { [Name in FieldName]: InEach<FieldWords<ValueIn<Values, Name>>> }
