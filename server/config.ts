import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { userRoles } from '../contract/access.ts'
import { type OcrLanguage, ocrLanguages } from '../contract/ocr-languages.ts'
import { type OidcProvider, readOidcProviders } from './oidc-providers.ts'

/** A reason not to start that a person can mend: printed as one line, without a stack. */
export class CannotStart extends Error {}

export interface Setting {
  name: string
  default: string
  explain: string
  /** May also stand in a file that NAME_FILE names. */
  isSecret?: true
}

const MiB = 1024 ** 2
const GiB = 1024 ** 3

export const settings = [
  { name: 'PORT', default: '3000', explain: 'Port the server listens on.' },
  { name: 'HOST', default: '127.0.0.1', explain: 'Address the server listens on; 0.0.0.0 for all.' },
  {
    name: 'PUBLIC_URL',
    default: '',
    explain:
      'Address people reach the server at. Empty: http://localhost:PORT. With https, cookies are Secure.',
  },
  {
    name: 'DATA_DIR',
    default: './data',
    explain: 'Folder of the embedded database, the disk store and the generated secret key.',
  },
  {
    name: 'DATABASE_URL',
    isSecret: true,
    default: '',
    explain: 'postgres://… for PostgreSQL 15 or later. Empty: embedded database, not for production.',
  },
  { name: 'DATABASE_POOL', default: '10', explain: 'Connections to PostgreSQL at most, per process.' },
  {
    name: 'DATABASE_SECONDS',
    default: '30',
    explain:
      'How long a statement may take on PostgreSQL. A connection that says nothing for so long is given up.',
  },
  { name: 'STORAGE_ACCOUNT_ID', default: '', explain: 'Storage account id; for R2 it makes the endpoint.' },
  { name: 'STORAGE_ACCESS_KEY_ID', isSecret: true, default: '', explain: 'Storage access key id.' },
  { name: 'STORAGE_SECRET_ACCESS_KEY', isSecret: true, default: '', explain: 'Storage secret access key.' },
  { name: 'STORAGE_BUCKET_NAME', default: '', explain: 'The single bucket for all clients.' },
  { name: 'STORAGE_ENDPOINT', default: '', explain: 'Endpoint of an S3 store other than R2.' },
  { name: 'STORAGE_REGION', default: 'auto', explain: 'Region of the S3 store.' },
  {
    name: 'STORAGE_PATH_STYLE',
    default: 'true',
    explain: 'true: bucket in the path; false: bucket in the host name.',
  },
  {
    name: 'STORAGE_DISK_URL',
    default: '',
    explain: 'Address browsers put files at when the disk store is used. Empty: PUBLIC_URL.',
  },
  {
    name: 'STORAGE_PREVIOUS',
    isSecret: true,
    default: '',
    explain:
      'The store before this one, while its objects are moved (asset-library move-storage): disk, or https://KEY_ID:SECRET@host/bucket, with ?region=… and pathStyle=false where needed. What is not here yet is read there. See docs/operations.md.',
  },
  {
    name: 'SCRATCH_BYTES',
    default: String(2 * GiB),
    explain:
      'Disk below DATA_DIR, per process, for files from a store elsewhere while they are looked at: each is then read from it once. 0: none.',
  },
  {
    name: 'SECRET_KEY',
    isSecret: true,
    default: '',
    explain:
      'At least 32 characters, the same on every node. Empty: generated into DATA_DIR, outside production.',
  },
  {
    name: 'SECRET_KEY_PREVIOUS',
    isSecret: true,
    default: '',
    explain:
      'The SECRET_KEY before this one: what it sealed still opens, and is sealed anew at the start. Then it can go.',
  },
  {
    name: 'BOOTSTRAP_ADMIN_EMAIL',
    default: 'admin@example.com',
    explain: 'E-mail of the first admin, made when there is none.',
  },
  {
    name: 'BOOTSTRAP_ADMIN_PASSWORD',
    isSecret: true,
    default: '',
    explain: 'Password of the first admin. Empty: generated and printed once.',
  },
  {
    name: 'SECOND_FACTOR_ROLES',
    default: '',
    explain:
      'Roles that have to log in with a second factor: admin,operator,viewer,client. Empty: who wants to.',
  },
  {
    name: 'OIDC_PROVIDERS',
    isSecret: true,
    default: '',
    explain:
      'Single sign-on by OpenID Connect: a JSON list of providers, with the roles that their claims give. See docs/accounts.md.',
  },
  {
    name: 'SMTP_URL',
    isSecret: true,
    default: '',
    explain:
      'Mail server: smtps://user:password@host, or smtp://host:587 (TLS before a password is sent). Empty: no mail, administrators hand over links.',
  },
  {
    name: 'MAIL_FROM',
    default: '',
    explain: 'Sender of mail: library@example.com, or Library <library@example.com>. Needed with SMTP_URL.',
  },
  {
    name: 'ROLE',
    default: 'all',
    explain: 'What this process does: all, api (requests only) or worker (jobs only).',
  },
  {
    name: 'TRUST_PROXY',
    default: 'false',
    explain:
      "Behind balancers that add to X-Forwarded-For, the caller's address is read from it: true for one, or how many, or their addresses (10.0.0.0/8,…).",
  },
  {
    name: 'DRAIN_SECONDS',
    default: '0',
    explain:
      'Behind a balancer: how long after SIGTERM requests are still taken while /readyz answers 503, so that it turns to other nodes.',
  },
  {
    name: 'STOP_SECONDS',
    default: '9',
    explain:
      'How long what is under way may take to finish at the end. What kills the process should wait longer, DRAIN_SECONDS included.',
  },
  { name: 'MAX_IMAGE_BYTES', default: String(100 * MiB), explain: 'Largest image.' },
  { name: 'MAX_VIDEO_BYTES', default: String(10 * GiB), explain: 'Largest video.' },
  { name: 'DEFAULT_QUOTA_BYTES', default: String(100e9), explain: 'Quota of a new client.' },
  { name: 'MAX_FOLDERS', default: '20000', explain: 'Folders of one client at most, the trash included.' },
  {
    name: 'AGENT_TOKEN_SECONDS',
    default: '900',
    explain: 'Life of what an agent that somebody signed in asks with; it gets the next by itself.',
  },
  {
    name: 'AGENT_SIGN_IN_SECONDS',
    default: String(30 * 86_400),
    explain: 'How long such an agent may be silent before it has to be signed in again.',
  },
  { name: 'UPLOAD_SESSION_SECONDS', default: '86400', explain: 'Life of an upload session.' },
  { name: 'UPLOAD_URL_SECONDS', default: '3600', explain: 'Life of a presigned URL.' },
  {
    name: 'MULTIPART_FROM_BYTES',
    default: String(16 * MiB),
    explain: 'Files over this size may be sent in parts.',
  },
  {
    name: 'PART_SIZE_BYTES',
    default: String(8 * MiB),
    explain:
      'Size of a part, at least 5 MiB. A part is stored whole or not at all: a pause or a broken line loses up to three of them.',
  },
  { name: 'TRASH_DAYS', default: '30', explain: 'Days until the trash is emptied.' },
  {
    name: 'MEDIA_FFMPEG',
    default: 'auto',
    explain:
      'A system ffmpeg for posters and playable copies of films: auto (if there is one), off, or its path.',
  },
  {
    name: 'MEDIA_OCR',
    default: 'de,en',
    explain:
      'Languages in which words in pictures are read, so that they are found, where a client has no others: some of de, en, fr, it, es, nl, pl, pt. off: no picture is read. See docs/operations.md.',
  },
  {
    name: 'C2PA_CERTIFICATE',
    default: '',
    explain:
      'Certificate that signs what goes out as Content Credentials, in PEM with those of its authorities, or a path to them. Empty: nothing is signed. See docs/operations.md.',
  },
  {
    name: 'C2PA_PRIVATE_KEY',
    isSecret: true,
    default: '',
    explain: 'Its private key in PEM, or a path to it.',
  },
  {
    name: 'C2PA_TRUST_ANCHORS',
    default: '',
    explain:
      'Certificates of authorities whose signers count as known, in PEM, or a path to them. Empty: every signer is unknown.',
  },
  {
    name: 'CLAMD_ADDRESS',
    default: '',
    explain:
      'A ClamAV daemon that looks through every upload: host:port, or the path of its socket. Empty: none does.',
  },
  {
    name: 'CLAMD_STREAM_BYTES',
    default: String(25 * MiB),
    explain: 'How much it takes at once (its StreamMaxLength). Larger files are sent to it in pieces.',
  },
  {
    name: 'AI_BASE_URL',
    default: '',
    explain:
      'An OpenAI-compatible address with its /v1 (Ollama, vLLM, OpenAI) that may be asked about pictures of clients that consent. Empty: none is. See docs/operations.md.',
  },
  {
    name: 'AI_KEY',
    isSecret: true,
    default: '',
    explain: 'Its key, if it asks for one. It is sent nowhere else.',
  },
  {
    name: 'AI_MODEL',
    default: '',
    explain:
      'The model there that looks at pictures and suggests titles, alt texts and tags. Empty: none does.',
  },
  {
    name: 'AI_EMBEDDINGS_MODEL',
    default: '',
    explain: 'The model there that makes vectors of texts, for a search by meaning. Empty: none does.',
  },
  {
    name: 'AI_DAILY_LIMIT',
    default: '1000',
    explain: 'Pictures of one client that it is asked about in a day (UTC) at most. 0: no limit.',
  },
  {
    name: 'ADS_PROVIDERS',
    default: 'google,meta,microsoft,tiktok,linkedin',
    explain: 'Providers whose advertising connections are kept.',
  },
  {
    name: 'GOOGLE_CLIENT_ID',
    default: '',
    explain:
      'Id of the app registered with Google, so that people can sign in to connections. See docs/connections.md.',
  },
  {
    name: 'GOOGLE_CLIENT_SECRET',
    isSecret: true,
    default: '',
    explain: 'Secret of the app registered with Google.',
  },
  {
    name: 'GOOGLE_ISSUER',
    default: 'https://accounts.google.com',
    explain: 'How Google names itself when it sends people back.',
  },
  {
    name: 'GOOGLE_AUTHORIZATION_URL',
    default: 'https://accounts.google.com/o/oauth2/v2/auth',
    explain: 'Where people sign in at Google.',
  },
  {
    name: 'GOOGLE_TOKEN_URL',
    default: 'https://oauth2.googleapis.com/token',
    explain: 'Where Google gives and renews tokens.',
  },
  {
    name: 'GOOGLE_REVOCATION_URL',
    default: 'https://oauth2.googleapis.com/revoke',
    explain: 'Where Google takes a token back when its connection is removed. Empty: nowhere.',
  },
  {
    name: 'LINKEDIN_CLIENT_ID',
    default: '',
    explain:
      'Id of the app registered with LinkedIn, so that people can sign in to connections. See docs/connections.md.',
  },
  {
    name: 'LINKEDIN_CLIENT_SECRET',
    isSecret: true,
    default: '',
    explain: 'Secret of the app registered with LinkedIn.',
  },
  {
    name: 'LINKEDIN_ISSUER',
    default: 'https://www.linkedin.com/oauth',
    explain: 'How LinkedIn names itself when it sends people back.',
  },
  {
    name: 'LINKEDIN_AUTHORIZATION_URL',
    default: 'https://www.linkedin.com/oauth/v2/authorization',
    explain: 'Where people sign in at LinkedIn.',
  },
  {
    name: 'LINKEDIN_TOKEN_URL',
    default: 'https://www.linkedin.com/oauth/v2/accessToken',
    explain: 'Where LinkedIn gives and renews tokens.',
  },
  {
    name: 'LINKEDIN_REVOCATION_URL',
    default: 'https://www.linkedin.com/oauth/v2/revoke',
    explain: 'Where LinkedIn takes a token back when its connection is removed. Empty: nowhere.',
  },
  {
    name: 'LINKEDIN_API_VERSION',
    default: '202607@2027-07-15',
    explain: 'Version of LinkedIn’s API that is asked for, and the day it ends.',
  },
  {
    name: 'META_CLIENT_ID',
    default: '',
    explain:
      'Id of the app registered with Meta, so that people can sign in to connections. See docs/connections.md.',
  },
  {
    name: 'META_CLIENT_SECRET',
    isSecret: true,
    default: '',
    explain: 'Secret of the app registered with Meta.',
  },
  {
    name: 'META_ISSUER',
    default: 'https://www.facebook.com',
    explain: 'How Meta names itself when it sends people back.',
  },
  {
    name: 'META_AUTHORIZATION_URL',
    default: 'https://www.facebook.com/{version}/dialog/oauth',
    explain: 'Where people sign in at Meta.',
  },
  {
    name: 'META_TOKEN_URL',
    default: 'https://graph.facebook.com/{version}/oauth/access_token',
    explain: 'Where Meta gives and renews tokens.',
  },
  {
    name: 'META_API_VERSION',
    default: 'v25.0@2028-07-29',
    explain: 'Version of the Graph API (Facebook, Instagram) that is asked for, and the day it ends.',
  },
  {
    name: 'EMBED_ORIGINS',
    default: '',
    explain:
      'Origins of other sites whose pages may show the picker in a frame: https://cms.example.com,… Empty: none. See docs/picker.md.',
  },
  {
    name: 'OUTBOUND_ALLOW',
    default: '',
    explain:
      'Hosts, or hosts with a port, that deliveries and webhooks may call although their address is private.',
  },
  {
    name: 'AGENT_ORIGINS',
    default: '',
    explain:
      'Origins of web pages that may talk to /mcp from the browser, with commas, as http://localhost:6274. Agents outside of browsers need none.',
  },
  {
    name: 'RATE_LIMIT_PRINCIPAL',
    default: '6000',
    explain: 'Requests a minute of one user or API key, per process. 0: no limit.',
  },
  {
    name: 'RATE_LIMIT_CLIENT',
    default: '9000',
    explain: 'Requests a minute about one client by all its people and agents, per process. 0: no limit.',
  },
  {
    name: 'RATE_LIMIT_ADDRESS',
    default: '6000',
    explain: 'Requests a minute without a login from one address (IPv6: one /64), per process. 0: no limit.',
  },
  {
    name: 'RATE_LIMIT_LINK',
    default: '6000',
    explain:
      'Requests a minute by all together who were given one share link or upload request, per process. 0: no limit.',
  },
  {
    name: 'REQUESTS_AT_ONCE',
    default: '',
    explain:
      'Requests about one client, or of one user or key, handled at once, per process. Empty: half of DATABASE_POOL. 0: no limit.',
  },
  {
    name: 'REQUESTS_WAITING',
    default: '1000',
    explain: 'Requests that may wait for those at once; more are refused.',
  },
  {
    name: 'STREAMS_PRINCIPAL',
    default: '50',
    explain: 'Event streams that one user or API key may hold, per process. 0: no limit.',
  },
  {
    name: 'STREAMS_CLIENT',
    default: '200',
    explain: 'Event streams about one client that may be held, per process. 0: no limit.',
  },
  {
    name: 'METRICS_TOKEN',
    isSecret: true,
    default: '',
    explain: 'Bearer token for /metrics. Empty: loopback only.',
  },
  {
    name: 'METRICS_PORT',
    default: '',
    explain: 'Port on which a worker answers /metrics, /livez and /readyz. Empty: it answers nobody.',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    default: '',
    explain:
      'An OpenTelemetry collector (OTLP over HTTP, e.g. http://127.0.0.1:4318) for traces. Empty: none.',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    isSecret: true,
    default: '',
    explain: 'Headers the collector asks for, as name=value,name=value.',
  },
  {
    name: 'OTEL_SERVICE_NAME',
    default: 'client-asset-library',
    explain: 'Name under which traces are shown.',
  },
  {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    default: '1',
    explain: 'Share of traces that are sent, from 0 to 1. A caller that sends a traceparent decides itself.',
  },
  {
    name: 'DEMO',
    default: 'true',
    explain: 'true: an empty library on the disk store is filled with a demo client at its first start.',
  },
  { name: 'LOG_LEVEL', default: 'info', explain: 'fatal, error, warn, info, debug, trace or silent.' },
  {
    name: 'NODE_ENV',
    default: '',
    explain: 'production: the disk store and a generated secret key are refused.',
  },
] as const satisfies Setting[]

export type SettingName = (typeof settings)[number]['name']
type SecretName = Extract<(typeof settings)[number], { isSecret: true }>['name']
export type Environment = Partial<Record<SettingName | `${SecretName}_FILE`, string>>

export interface S3Settings {
  endpoint: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  bucket: string
  pathStyle: boolean
}

export type StorageChoice =
  | { kind: 'disk'; url: string }
  | { kind: 's3'; s3: S3Settings }
  | { kind: 'not-configured'; missing: string[] }

export type Config = ReturnType<typeof readConfig>

/** Settings as the program uses them. The environment is read here once and nowhere else. */
export function readConfig(environment: Environment) {
  const read = reader(environment)
  const production = read.text('NODE_ENV') === 'production'
  const port = read.integer('PORT', 0, 65535)
  const publicUrl = read.url('PUBLIC_URL') ?? `http://localhost:${port}`
  const databaseUrl = read.text('DATABASE_URL') || undefined
  if (databaseUrl && !/^postgres(ql)?:\/\//.test(databaseUrl))
    throw wrong('DATABASE_URL', 'must start with postgres://')

  return {
    production,
    port,
    host: read.text('HOST'),
    publicUrl,
    dataDir: resolve(read.text('DATA_DIR')),
    databaseUrl,
    databasePool: read.integer('DATABASE_POOL', 2, 1000),
    databaseSeconds: read.integer('DATABASE_SECONDS', 1, 86400),
    ...stores(read, production, publicUrl),
    scratchBytes: read.integer('SCRATCH_BYTES', 0),
    secretKey: secretKey(read, production),
    previousSecretKey: longKey(read, 'SECRET_KEY_PREVIOUS'),
    bootstrapAdmin: {
      email: read.text('BOOTSTRAP_ADMIN_EMAIL'),
      password: read.text('BOOTSTRAP_ADMIN_PASSWORD') || undefined,
    },
    mail: mail(read),
    secondFactorRoles: roles(read, 'SECOND_FACTOR_ROLES'),
    oidcProviders: oidcProviders(read),
    role: read.oneOf('ROLE', ['all', 'api', 'worker']),
    trustProxy: trustProxy(read),
    drainSeconds: read.integer('DRAIN_SECONDS', 0, 600),
    stopSeconds: read.integer('STOP_SECONDS', 1, 600),
    agentSignIn: {
      tokenSeconds: read.integer('AGENT_TOKEN_SECONDS', 1, 86_400),
      silentSeconds: read.integer('AGENT_SIGN_IN_SECONDS', 1, 366 * 86_400),
    },
    limits: {
      maxImageBytes: read.integer('MAX_IMAGE_BYTES', 1),
      maxVideoBytes: read.integer('MAX_VIDEO_BYTES', 1),
      defaultQuotaBytes: read.integer('DEFAULT_QUOTA_BYTES', 0),
      maxFolders: read.integer('MAX_FOLDERS', 1),
      sessionSeconds: read.integer('UPLOAD_SESSION_SECONDS', 1),
      urlSeconds: read.integer('UPLOAD_URL_SECONDS', 1, 7 * 86400),
      multipartFromBytes: read.integer('MULTIPART_FROM_BYTES', 0),
      partSizeBytes: read.integer('PART_SIZE_BYTES', 5 * MiB, 5 * GiB - 5 * MiB),
      trashDays: read.integer('TRASH_DAYS', 0, 3650),
    },
    ffmpeg: read.text('MEDIA_FFMPEG'),
    ocr: ocr(read),
    c2pa: {
      certificate: read.text('C2PA_CERTIFICATE'),
      privateKey: read.text('C2PA_PRIVATE_KEY'),
      trustAnchors: read.text('C2PA_TRUST_ANCHORS'),
    },
    clamd: clamd(read),
    ai: ai(read),
    demo: read.boolean('DEMO'),
    adsProviders: read.list('ADS_PROVIDERS'),
    signIn: {
      google: signIn(read, 'GOOGLE'),
      linkedin: signIn(read, 'LINKEDIN'),
      meta: signIn(read, 'META'),
    },
    apiVersions: {
      linkedin: apiVersion(read, 'LINKEDIN_API_VERSION', /^\d{6}$/),
      meta: apiVersion(read, 'META_API_VERSION', /^v\d+\.\d+$/),
    },
    embedOrigins: origins(read, 'EMBED_ORIGINS'),
    outboundAllow: read.list('OUTBOUND_ALLOW').map((host) => host.toLowerCase()),
    agentOrigins: agentOrigins(read),
    rateLimits: {
      principal: read.integer('RATE_LIMIT_PRINCIPAL', 0),
      client: read.integer('RATE_LIMIT_CLIENT', 0),
      address: read.integer('RATE_LIMIT_ADDRESS', 0),
      link: read.integer('RATE_LIMIT_LINK', 0),
    },
    streams: {
      principal: read.integer('STREAMS_PRINCIPAL', 0),
      client: read.integer('STREAMS_CLIENT', 0),
    },
    requests: {
      atOnce: read.text('REQUESTS_AT_ONCE')
        ? read.integer('REQUESTS_AT_ONCE', 0)
        : Math.floor(read.integer('DATABASE_POOL', 2, 1000) / 2),
      waiting: read.integer('REQUESTS_WAITING', 0),
    },
    metricsToken: read.text('METRICS_TOKEN') || undefined,
    metricsPort: read.text('METRICS_PORT') ? read.integer('METRICS_PORT', 1, 65535) : undefined,
    traces: traces(read),
    logLevel: read.oneOf('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
  }
}

export type Limits = Config['limits']

/** The app registered with a vendor, and where the vendor is. */
function signIn(read: Reader, vendor: 'GOOGLE' | 'LINKEDIN' | 'META') {
  const credentials = [`${vendor}_CLIENT_ID`, `${vendor}_CLIENT_SECRET`] as const
  const [clientId, clientSecret] = credentials.map(read.text)
  return {
    clientId: clientId!,
    clientSecret: clientSecret!,
    missing: credentials.filter((name) => !read.text(name)),
    issuer: read.text(`${vendor}_ISSUER`),
    authorizationUrl: endpoint(read, `${vendor}_AUTHORIZATION_URL`),
    tokenUrl: endpoint(read, `${vendor}_TOKEN_URL`),
    // Meta takes back all that a person allowed, and only from that person's own token, which is not kept.
    revocationUrl: vendor === 'META' ? '' : optionalEndpoint(read, `${vendor}_REVOCATION_URL`),
  }
}

const optionalEndpoint = (read: Reader, name: SettingName) => (read.text(name) ? endpoint(read, name) : '')

/** Secrets go there, so it is https, but for hosts that were opened by name. */
function endpoint(read: Reader, name: SettingName): string {
  const value = read.text(name).replace('{version}', read.text('META_API_VERSION').split('@')[0]!)
  if (!isSafe(read, value)) throw wrong(name, 'must be an https address')
  return value
}

function isSafe(read: Reader, value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : undefined
  const isOpened = read.list('OUTBOUND_ALLOW').some((host) => host === url?.hostname || host === url?.host)
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isOpened)
}

/** Letter for letter as browsers name them. */
function origins(read: Reader, name: SettingName): string[] {
  for (const origin of read.list(name))
    if (!/^https?:/.test(origin) || !URL.canParse(origin) || new URL(origin).origin !== origin)
      throw wrong(name, `must be origins like https://cms.example.com, which ${origin} is not`)
  return read.list(name)
}

function oidcProviders(read: Reader): OidcProvider[] {
  const found = readOidcProviders(read.text('OIDC_PROVIDERS'), (url) => isSafe(read, url))
  if (typeof found === 'string') throw wrong('OIDC_PROVIDERS', found)
  return found
}

function stores(read: Reader, production: boolean, publicUrl: string) {
  const storage = storageChoice(read, production, publicUrl)
  const previous = previousStorage(read, publicUrl)
  const placeOf = (choice?: StorageChoice) =>
    choice?.kind === 's3' ? `${choice.s3.endpoint}/${choice.s3.bucket}` : choice?.kind
  if (placeOf(previous) === placeOf(storage))
    throw wrong('STORAGE_PREVIOUS', 'must be another store than the one that is set')
  return { storage, previousStorage: previous }
}

function storageChoice(read: Reader, production: boolean, publicUrl: string): StorageChoice {
  const four = [
    'STORAGE_ACCOUNT_ID',
    'STORAGE_ACCESS_KEY_ID',
    'STORAGE_SECRET_ACCESS_KEY',
    'STORAGE_BUCKET_NAME',
  ] as const
  // Read whether or not it is used now: a wrong one is better found today than on the day storage is set up.
  const pathStyle = read.boolean('STORAGE_PATH_STYLE')
  const missing = four.filter((name) => !read.text(name))
  if (missing.length === 4 && !production)
    return { kind: 'disk', url: read.url('STORAGE_DISK_URL') ?? publicUrl }
  if (missing.length > 0) return { kind: 'not-configured', missing }

  return {
    kind: 's3',
    s3: {
      endpoint:
        read.url('STORAGE_ENDPOINT') ?? `https://${read.text('STORAGE_ACCOUNT_ID')}.r2.cloudflarestorage.com`,
      region: read.text('STORAGE_REGION'),
      accessKeyId: read.text('STORAGE_ACCESS_KEY_ID'),
      secretAccessKey: read.text('STORAGE_SECRET_ACCESS_KEY'),
      bucket: read.text('STORAGE_BUCKET_NAME'),
      pathStyle,
    },
  }
}

/** Undefined: no picture is read. */
function previousStorage(read: Reader, publicUrl: string): StorageChoice | undefined {
  const value = read.text('STORAGE_PREVIOUS')
  if (!value) return undefined
  if (value === 'disk') return { kind: 'disk', url: read.url('STORAGE_DISK_URL') ?? publicUrl }
  const url = URL.canParse(value) ? new URL(value) : undefined
  const [, folder = '', bucket] = /^(\/.*)?\/([^/]+)$/.exec(url?.pathname ?? '') ?? []
  if (!url || !/^https?:$/.test(url.protocol) || !url.username || !url.password || !bucket)
    throw wrong('STORAGE_PREVIOUS', 'must be disk, or https://KEY_ID:SECRET@host/bucket')
  return {
    kind: 's3',
    s3: {
      endpoint: url.origin + folder,
      region: url.searchParams.get('region') ?? 'auto',
      accessKeyId: decodeURIComponent(url.username),
      secretAccessKey: decodeURIComponent(url.password),
      bucket,
      pathStyle: url.searchParams.get('pathStyle') !== 'false',
    },
  }
}

function ocr(read: Reader): OcrLanguage[] | undefined {
  if (read.text('MEDIA_OCR') === 'off') return undefined
  const named = [...new Set(read.list('MEDIA_OCR'))]
  if (named.length === 0 || !named.every((one) => ocrLanguages.includes(one as OcrLanguage)))
    throw wrong('MEDIA_OCR', `must be off, or some of ${ocrLanguages.join(', ')}`)
  return named as OcrLanguage[]
}

function clamd(read: Reader) {
  const address = read.text('CLAMD_ADDRESS')
  if (address && !/^(\/.+|[^\s/]+:\d{1,5})$/.test(address))
    throw wrong('CLAMD_ADDRESS', 'must be host:port, or the path of a socket')
  const streamBytes = read.integer('CLAMD_STREAM_BYTES', MiB)
  return address ? { address, streamBytes } : undefined
}

function ai(read: Reader) {
  const baseUrl = read.url('AI_BASE_URL')
  const dailyLimit = read.integer('AI_DAILY_LIMIT', 0)
  if (!baseUrl) return undefined
  const { username, password, search, hash } = new URL(baseUrl)
  if (username || password || search || hash)
    throw wrong('AI_BASE_URL', 'must be an address alone; its key belongs in AI_KEY')
  const model = read.text('AI_MODEL')
  const embeddingsModel = read.text('AI_EMBEDDINGS_MODEL')
  if (!model && !embeddingsModel) throw wrong('AI_MODEL', 'must be set with AI_BASE_URL')
  const key = read.text('AI_KEY')
  // It goes into a header.
  if (!/^[!-~]*$/.test(key)) throw wrong('AI_KEY', 'must be one word of plain letters, digits and signs')
  return { baseUrl, key, model, embeddingsModel, dailyLimit }
}

function mail(read: Reader) {
  const url = read.text('SMTP_URL')
  const from = read.text('MAIL_FROM')
  if (!url) return undefined
  if (!URL.canParse(url) || !/^smtps?:\/\/[^/]/.test(url))
    throw wrong('SMTP_URL', 'must start with smtp:// or smtps:// and name a host')
  if (!/^(?:[^<>\r\n]+ )?<[^\s<>@]+@[^\s<>@]+>$|^[^\s<>@]+@[^\s<>@]+$/.test(from))
    throw wrong('MAIL_FROM', 'must be an e-mail address, or a name and <an address>')
  return { url, from }
}

function roles(read: Reader, name: 'SECOND_FACTOR_ROLES'): readonly string[] {
  const named = read.list(name)
  const strange = named.find((role) => !userRoles.some((known) => known === role))
  if (strange) throw wrong(name, `must be some of ${userRoles.join(', ')}`)
  return named
}

function agentOrigins(read: Reader): readonly string[] {
  const named = read.list('AGENT_ORIGINS')
  if (!named.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin))
    throw wrong(
      'AGENT_ORIGINS',
      'must be origins as browsers write them: https://chat.example, without a path',
    )
  return named
}

function secretKey(read: Reader, production: boolean): string | undefined {
  const key = longKey(read, 'SECRET_KEY')
  if (!key && production) throw wrong('SECRET_KEY', 'must be set in production, the same on every node')
  return key
}

function longKey(read: Reader, name: 'SECRET_KEY' | 'SECRET_KEY_PREVIOUS'): string | undefined {
  const key = read.text(name)
  if (key && key.length < 32) throw wrong(name, 'must have at least 32 characters')
  return key || undefined
}

/** How many balancers stand before this server, or which. Anything further away could write what it likes. */
function trustProxy(read: Reader): false | number | string[] {
  const value = read.text('TRUST_PROXY')
  if (value === 'false' || value === '0') return false
  if (value === 'true') return 1
  if (/^\d{1,2}$/.test(value)) return Number(value)
  const addresses = read.list('TRUST_PROXY')
  if (!addresses.every(isSubnet))
    throw wrong('TRUST_PROXY', 'must be true, false, how many balancers there are, or their addresses')
  return addresses
}

function isSubnet(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const most = isIP(address) === 6 ? 128 : 32
  return (
    isIP(address) > 0 && more.length === 0 && (bits === undefined || (/^\d+$/.test(bits) && +bits <= most))
  )
}

/** With the day on which the vendor ends it, as far as it is known. */
function apiVersion(read: Reader, name: 'LINKEDIN_API_VERSION' | 'META_API_VERSION', form: RegExp) {
  const [version = '', ends, ...more] = read.text(name).split('@')
  if (!form.test(version) || more.length > 0 || (ends !== undefined && !isDay(ends)))
    throw wrong(name, 'must be a version and the day it ends, like its default')
  return { version, ends }
}

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))

/** The names are OpenTelemetry's own, so that what is set for other services serves here. */
function traces(read: Reader) {
  const endpoint = read.url('OTEL_EXPORTER_OTLP_ENDPOINT')
  const share = Number(read.text('OTEL_TRACES_SAMPLER_ARG'))
  if (!(share >= 0 && share <= 1)) throw wrong('OTEL_TRACES_SAMPLER_ARG', 'must be a number from 0 to 1')
  const headers = read.list('OTEL_EXPORTER_OTLP_HEADERS').map((entry) => {
    const [, name, value] = /^([\w-]+)=(.*)$/.exec(entry) ?? []
    if (!name) throw wrong('OTEL_EXPORTER_OTLP_HEADERS', 'must be name=value,name=value')
    return [name, decodeURIComponent(value!)]
  })
  if (!endpoint) return undefined
  return {
    endpoint,
    share,
    headers: Object.fromEntries(headers) as Record<string, string>,
    serviceName: read.text('OTEL_SERVICE_NAME'),
  }
}

type Reader = ReturnType<typeof reader>

function reader(environment: Environment) {
  const text = (name: SettingName): string =>
    (secretInFile(environment, name) || environment[name] || standardOf(name)).trim()
  return {
    text,
    integer(name: SettingName, least: number, most = Number.MAX_SAFE_INTEGER): number {
      const value = Number(text(name))
      if (!Number.isSafeInteger(value) || value < least || value > most)
        throw wrong(name, `must be a whole number from ${least} to ${most}`)
      return value
    },
    boolean(name: SettingName): boolean {
      if (!['true', 'false', '1', '0'].includes(text(name))) throw wrong(name, 'must be true or false')
      return ['true', '1'].includes(text(name))
    },
    oneOf<const T extends string>(name: SettingName, choices: readonly T[]): T {
      const found = choices.find((choice) => choice === text(name))
      if (!found) throw wrong(name, `must be one of ${choices.join(', ')}`)
      return found
    },
    list: (name: SettingName): string[] =>
      text(name)
        .split(',')
        .map((entry) => entry.trim())
        .filter(Boolean),
    url(name: SettingName): string | undefined {
      const value = text(name)
      if (value && !(URL.canParse(value) && /^https?:\/\//.test(value)))
        throw wrong(name, 'must be an http(s) address')
      return value.replace(/\/+$/, '') || undefined
    },
  }
}

const settingOf = (name: SettingName): Setting => settings.find((setting) => setting.name === name)!
const standardOf = (name: SettingName) => settingOf(name).default

/** As containers and service managers hand out secrets: mounted as a file, so that no environment shows them. */
function secretInFile(environment: Environment, name: SettingName): string | undefined {
  const place = `${name}_FILE`
  const path = settingOf(name).isSecret && environment[place as keyof Environment]
  if (!path) return undefined
  if (environment[name]) throw wrong(place, `must not be set beside ${name}`)
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw wrong(place, `names a file that cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

const wrong = (name: string, why: string) => new CannotStart(`Setting ${name} ${why}. See npm run settings.`)
