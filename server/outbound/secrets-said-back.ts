interface Sent {
  url: string
  headers?: Record<string, string>
  body?: unknown
  secrets?: string[]
}

interface Said {
  status: number
  headers: Record<string, string>
  text: string
}

/**
 * A peer may say back what opens the account, in an error or in anything else, and what it says is shown and kept.
 * Whatever of the secrets it was sent is in its answer, in whichever usual writing, is cut out before anybody reads it.
 */
export function withoutSecrets(request: Sent, answer: Said): Said {
  const sent = secretsIn(request, answer)
  const secrets = [...new Set([...sent, ...sent.map(gapless)])].filter((secret) => secret.length >= shortest)
  if (secrets.length === 0) return answer
  const said = new RegExp([...secrets.map(written), ...secrets.flatMap(inBase64)].join('|'), 'giu')
  const cut = (text: string) => text.replace(said, '…')
  return {
    ...answer,
    headers: Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, cut(value)])),
    text: cut(answer.text),
  }
}

/** Shorter ones stand in any text by chance. */
const shortest = 6

function secretsIn({ url, headers = {}, body, secrets = [] }: Sent, { status }: Said) {
  const [, scheme, login = ''] = /^(\S+) +(.+)$/.exec(headers.authorization ?? '') ?? []
  const password =
    scheme === 'Basic'
      ? Buffer.from(login, 'base64')
          .toString()
          .replace(/^[^:]*:/, '')
      : ''
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded')
  // A vendor may rightly give the token again that it was shown.
  const form = isForm && typeof body === 'string' && status >= 300 ? body : ''
  return [login, password, ...secrets, ...secretsAmong(new URL(url).search), ...secretsAmong(form)]
}

/** Some give their passwords in groups, WordPress for one, and take them without the gaps. */
const gapless = (secret: string) => secret.replace(/\s/g, '')

const secretsAmong = (parameters: string) =>
  [...new URLSearchParams(parameters)].filter(([name]) => secretNames.test(name)).map(([, value]) => value)

const secretNames = /token|secret|password|key|code|signature|assertion/i

/** Of one longer than this, the beginning is looked for, and all that follows without a gap is cut out with it. */
const longest = 200

/** In groups it may be said again, too. One with gaps of its own has none beside them: two in a row could be told apart in ever so many ways. */
const gapIn = (secret: string) => (/\s/.test(secret) ? '' : '\\s?')

const written = (secret: string) =>
  [...secret].slice(0, longest).map(character).join(gapIn(secret)) +
  (secret.length > longest ? '[\\w.~+/=%\\\\&#;-]*' : '')

/** A pattern of all that one character is written as: plain, for JSON, an address or a page, once or twice over. */
function character(one: string): string {
  const units = one.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'))
  const point = one.codePointAt(0)!
  const forms = [
    `\\\\{0,4}\\u{${point.toString(16)}}`,
    units.map((unit) => `\\\\{1,4}u${unit}`).join(''),
    [...Buffer.from(one)].map((byte) => `%(?:25)?${byte.toString(16).padStart(2, '0')}`).join(''),
    `&(?:amp;)?#(?:0{0,4}${point}|x0{0,4}${point.toString(16)});`,
    ...(entities[one] ? [`&(?:amp;)?${entities[one]};`] : []),
  ]
  return `(?:${forms.join('|')}${one === ' ' ? '|\\+' : ''})`
}

const entities: Record<string, string> = { '&': 'amp', '"': 'quot', "'": 'apos', '<': 'lt', '>': 'gt' }

/** Wherever it stands in what was encoded: by its place among three bytes it is one of three texts. */
const inBase64 = (secret: string) =>
  [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret).subarray(0, longest)])
    const whole = bytes.toString('base64').replace(/.=+$/, '')
    const padding = secret.length > longest ? '[\\w+/-]*' : ''
    return (
      [...whole.slice([0, 2, 3][before])]
        .map((one) =>
          one === '+' ? `(?:${character('+')}|-)` : one === '/' ? `(?:${character('/')}|_)` : one,
        )
        .join('') + padding
    )
  })
