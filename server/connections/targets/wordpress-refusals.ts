import { Type } from 'typebox'
import type { OutboundCode } from '../../../contract/outbound-reasons.ts'
import type { OutboundAnswer } from '../../outbound/outbound.ts'
import { faultOf, jsonIn, readIfThere } from './answers.ts'
import { type TargetFault, Unreadable } from './target.ts'

/** What a site's answer means to whoever looks after it, where its status alone would not help them. */
export function refuseWordpress(answer: OutboundAnswer): void {
  const code = codeIn(answer)
  const known = refusals.find(([, isIt]) => isIt(answer, code))
  if (known) throw wordpressFault(known[0], answer)
  if (jsonIn(answer.text) !== undefined) return
  const page = pages.find(({ isIt }) => isIt(answer))
  // What wrote the page may have done so after the work was done.
  if (page) throw new Unreadable('wordpress', page.code, page.detail, { status: answer.status })
}

export function wordpressFault(code: keyof typeof sentences, answer: OutboundAnswer): TargetFault {
  const [does, fix] = sentences[code]
  return faultOf('wordpress', answer, 'refused', code, does, fix)
}

/** What it does, and what helps. */
const sentences = {
  'login-refused': [
    'refused the login',
    ' Check the user name, and make a new application password in the user’s WordPress profile.',
  ],
  'login-not-seen': [
    'does not see us as logged in',
    ' Check the user name and the application password. If both are right, the web server there removes the login: have it' +
      ' pass on the Authorization header (Apache, in .htaccess: SetEnvIf Authorization "(.*)" HTTP_AUTHORIZATION=$1).',
  ],
  'application-passwords-off': [
    'takes no application passwords',
    ' They are switched off there, by a security plugin as a rule: switch them on for this user.',
  ],
  'rest-api-closed': [
    'has closed its REST API',
    ' Open it for logged-in users in the plugin that closes it.',
  ],
  'may-not-upload': ['does not let this user upload files', ' Give it the role Author or more.'],
  'too-large-there': [
    'takes no file as large as this',
    ' Have its limit for uploads raised, or deliver a smaller file.',
  ],
  'login-wall': [
    'sends everybody to a login first',
    ' Take the site out of maintenance or private mode, or let /wp-json/ pass.',
  ],
  refused: ['refused', ''],
} as const satisfies { [Code in OutboundCode]?: readonly [does: string, fix: string] }

// The codes are those of WordPress 6.1 (wp-includes/user.php and its REST controllers) and of plugins that close the API.
const refusals: [keyof typeof sentences, (answer: OutboundAnswer, code: string) => boolean][] = [
  ['login-refused', (_, code) => /^(incorrect_password|invalid_(username|email))$/.test(code)],
  ['application-passwords-off', (_, code) => code.startsWith('application_passwords_disabled')],
  [
    'rest-api-closed',
    (_, code) => /^rest_(no_route|disabled|api_disabled|login_required|cannot_access)$/.test(code),
  ],
  ['may-not-upload', ({ status }, code) => code === 'rest_cannot_create' && status !== 401],
  // WordPress says 401 to those alone who are not logged in, and mostly not why.
  ['login-not-seen', ({ status }, code) => status === 401 && code !== ''],
  [
    'too-large-there',
    (_, code) => /^rest_upload_(file_too_big|limited_space|user_quota_exceeded)$/.test(code),
  ],
  // All of these come before anything is kept, some of them with a 500.
  ['refused', (_, code) => code.startsWith('rest_upload_')],
  [
    'login-wall',
    ({ status, headers }) =>
      status >= 300 && status < 400 && /login|signin|auth/i.test(headers.location ?? ''),
  ],
]

const pages: { code: OutboundCode; isIt(answer: OutboundAnswer): boolean; detail: string }[] = [
  {
    code: 'login-wall',
    isIt: ({ status, headers, text }) =>
      (status === 401 && headers['www-authenticate'] !== undefined) ||
      /<input\b[^>]{0,500}\btype=["']?password/i.test(text),
    detail:
      'A login stands before the site, so WordPress is not reached. Take the site out of maintenance or private mode, or let /wp-json/ pass.',
  },
  {
    code: 'security-page',
    isIt: ({ status, text }) =>
      [401, 403, 406, 409, 418, 451].includes(status) ||
      (isAnswered(status) && /captcha|challenge|firewall|block|secur|moment|robot|denied/i.test(text)),
    detail:
      'A page came instead of an answer: a security plugin or a firewall stands before WordPress. Let requests of this server to /wp-json/ pass there.',
  },
  {
    code: 'no-wordpress',
    isIt: ({ status, text }) => status === 404 || (isAnswered(status) && /<\w/.test(text)),
    detail:
      'No WordPress answers at this address. Enter the address of the site itself, with its folder if it has one.',
  },
]

const isAnswered = (status: number) => status >= 200 && status < 300

const codeIn = (answer: OutboundAnswer): string =>
  isAnswered(answer.status) ? '' : (readIfThere(Type.Object({ code: Type.String() }), answer)?.code ?? '')
