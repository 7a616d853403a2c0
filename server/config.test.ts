import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Environment, readConfig, settings } from './config.ts'

const four = {
  STORAGE_ACCOUNT_ID: 'account',
  STORAGE_ACCESS_KEY_ID: 'key',
  STORAGE_SECRET_ACCESS_KEY: 'secret',
  STORAGE_BUCKET_NAME: 'bucket',
}

test('without any setting the library runs on the disk and the embedded database', () => {
  expect(readConfig({})).toMatchObject({
    storage: { kind: 'disk' },
    databaseUrl: undefined,
    publicUrl: 'http://localhost:3000',
    embedOrigins: [],
  })
})

test('the four storage settings make the R2 endpoint of the account', () => {
  expect(readConfig(four).storage).toMatchObject({
    kind: 's3',
    s3: { endpoint: 'https://account.r2.cloudflarestorage.com', bucket: 'bucket' },
  })
})

test.each(Object.keys(four) as (keyof typeof four)[])(
  'without %s storage is not configured, and it is named',
  (missing) => {
    expect(readConfig({ ...four, [missing]: '' }).storage).toEqual({
      kind: 'not-configured',
      missing: [missing],
    })
  },
)

test('a mail server needs a sender, and both have to be what they say', () => {
  expect(readConfig({}).mail).toBeUndefined()
  const mail = { SMTP_URL: 'smtps://user:word@mail.example.com', MAIL_FROM: 'Library <library@example.com>' }
  expect(readConfig(mail).mail).toEqual({ url: mail.SMTP_URL, from: mail.MAIL_FROM })
  for (const SMTP_URL of ['mail.example.com', 'https://mail.example.com', 'smtp://'])
    expect(() => readConfig({ ...mail, SMTP_URL })).toThrow('Setting SMTP_URL')
  for (const MAIL_FROM of ['', 'library', 'Library library@example.com', 'a@b\r\nBcc: c@d'])
    expect(() => readConfig({ ...mail, MAIL_FROM })).toThrow('Setting MAIL_FROM')
})

test('production does without the disk store', () => {
  const storage = readConfig({ NODE_ENV: 'production', SECRET_KEY: 'x'.repeat(32) }).storage
  expect(storage).toEqual({ kind: 'not-configured', missing: Object.keys(four) })
})

function providerAt(issuer: string, given: object = { role: 'operator' }) {
  const app = { clientId: 'library', clientSecret: 'canary-of-the-provider' }
  return JSON.stringify([
    {
      id: 'agency',
      name: 'Agency',
      issuer,
      ...app,
      roleClaim: 'groups',
      roles: [{ value: 'staff', ...given }],
    },
  ])
}

test('a provider for single sign-on lets nobody in but whom it is told to, and its secret stays out of complaints', () => {
  const [provider] = readConfig({ OIDC_PROVIDERS: providerAt('https://id.example') }).oidcProviders
  expect(provider).toMatchObject({ createsAccounts: false, trustsEmail: false, secondFactor: 'amr' })
  const wrong = { OIDC_PROVIDERS: providerAt('https://id.example', { role: 'canary-of-the-provider' }) }
  expect(() => readConfig(wrong)).toThrow(/^(?!.*canary)/)
})

test.each<[Environment, string]>([
  [{ PORT: 'eighty' }, 'PORT'],
  [{ PORT: '70000' }, 'PORT'],
  [{ ROLE: 'boss' }, 'ROLE'],
  [{ PUBLIC_URL: 'library.example' }, 'PUBLIC_URL'],
  [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL'],
  [{ SECRET_KEY: 'short' }, 'SECRET_KEY'],
  [{ SECRET_KEY_PREVIOUS: 'short' }, 'SECRET_KEY_PREVIOUS'],
  [{ NODE_ENV: 'production' }, 'SECRET_KEY'],
  [{ STORAGE_PATH_STYLE: 'maybe' }, 'STORAGE_PATH_STYLE'],
  [{ PART_SIZE_BYTES: '1000' }, 'PART_SIZE_BYTES'],
  [{ TRUST_PROXY: 'yes' }, 'TRUST_PROXY'],
  [{ TRUST_PROXY: '10.0.0.0/8,balancer' }, 'TRUST_PROXY'],
  [{ TRUST_PROXY: '10.0.0.0/33' }, 'TRUST_PROXY'],
  [{ EMBED_ORIGINS: 'cms.example' }, 'EMBED_ORIGINS'],
  [{ EMBED_ORIGINS: 'https://cms.example/' }, 'EMBED_ORIGINS'],
  [{ EMBED_ORIGINS: "https://*.example,'self'" }, 'EMBED_ORIGINS'],
  [{ RATE_LIMIT_CLIENT: '-1' }, 'RATE_LIMIT_CLIENT'],
  [{ LINKEDIN_API_VERSION: 'v25.0@2028-07-29' }, 'LINKEDIN_API_VERSION'],
  [{ GOOGLE_TOKEN_URL: 'http://token.example/' }, 'GOOGLE_TOKEN_URL'],
  [{ META_AUTHORIZATION_URL: 'ftp://127.0.0.1/', OUTBOUND_ALLOW: '127.0.0.1' }, 'META_AUTHORIZATION_URL'],
  [{ META_API_VERSION: 'v25.0@2028-13-29' }, 'META_API_VERSION'],
  [{ OIDC_PROVIDERS: '[{' }, 'OIDC_PROVIDERS'],
  [{ OIDC_PROVIDERS: '[{"id":"agency"}]' }, 'OIDC_PROVIDERS'],
  [{ OIDC_PROVIDERS: providerAt('http://id.example') }, 'OIDC_PROVIDERS'],
  [{ OIDC_PROVIDERS: providerAt('https://id.example', { role: 'client', clientIds: [] }) }, 'OIDC_PROVIDERS'],
  [{ AI_BASE_URL: 'localhost:11434/v1', AI_MODEL: 'x' }, 'AI_BASE_URL'],
  [{ AI_BASE_URL: 'https://me:key@ai.example/v1', AI_MODEL: 'x' }, 'AI_BASE_URL'],
  [{ AI_BASE_URL: 'http://127.0.0.1:11434/v1' }, 'AI_MODEL'],
  [{ AI_BASE_URL: 'http://127.0.0.1:11434/v1', AI_MODEL: 'x', AI_KEY: 'two words' }, 'AI_KEY'],
  [{ METRICS_PORT: '0' }, 'METRICS_PORT'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'authorization' }, 'OTEL_EXPORTER_OTLP_HEADERS'],
  [{ OTEL_TRACES_SAMPLER_ARG: '2' }, 'OTEL_TRACES_SAMPLER_ARG'],
])('a wrong setting is named: %o', (environment, name) => {
  expect(() => readConfig(environment)).toThrow(`Setting ${name} must`)
})

test.each([
  ['false', false],
  ['true', 1],
  ['2', 2],
  ['10.0.0.0/8, fd00::/8,192.0.2.7', ['10.0.0.0/8', 'fd00::/8', '192.0.2.7']],
])('TRUST_PROXY=%s', (TRUST_PROXY, trusted) => {
  expect(readConfig({ TRUST_PROXY }).trustProxy).toEqual(trusted)
})

test('every secret may stand in a file, and one that cannot be read is told by its name alone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'library-secrets-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'secret')
  writeFileSync(path, `${'canary'.repeat(8)}\n`)
  expect(readConfig({ SECRET_KEY_FILE: path }).secretKey).toBe('canary'.repeat(8))
  expect(
    readConfig({ ...four, STORAGE_SECRET_ACCESS_KEY: '', STORAGE_SECRET_ACCESS_KEY_FILE: path }).storage,
  ).toMatchObject({
    s3: { secretAccessKey: 'canary'.repeat(8) },
  })
  // Only what is a secret, so that no file is read by accident.
  expect(readConfig({ HOST_FILE: path } as Environment).host).toBe('127.0.0.1')
  const word = /KEY|SECRET|PASSWORD|TOKEN$|_HEADERS|^DATABASE_URL|^SMTP_URL|^OIDC_PROVIDERS/
  const open = settings.filter((setting) => !('isSecret' in setting) && word.test(setting.name))
  expect(open.map(({ name }) => name)).toEqual([])

  expect(() => readConfig({ SECRET_KEY_FILE: join(folder, 'nowhere') })).toThrow(
    'Setting SECRET_KEY_FILE names a file that cannot be read (ENOENT).',
  )
  expect(() => readConfig({ SECRET_KEY: 'k'.repeat(32), SECRET_KEY_FILE: path })).toThrow(
    'Setting SECRET_KEY_FILE must not be set beside SECRET_KEY.',
  )
})

test('.env.example and the README know every setting', () => {
  const example = readFileSync(new URL('../.env.example', import.meta.url), 'utf8')
  const printed = execFileSync(process.execPath, ['cli/asset-library.js', 'settings', '--env'], {
    encoding: 'utf8',
  })
  expect(example).toBe(printed)
  const shown = execFileSync(process.execPath, ['cli/asset-library.js', 'settings'], { encoding: 'utf8' })
  for (const { name } of settings) expect(shown).toContain(name)
})
