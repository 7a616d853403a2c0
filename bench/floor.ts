import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { readFile, rename, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { crc32 } from 'node:zlib'
import Fastify from 'fastify'
import pg from 'pg'
import sharp from 'sharp'

declare module 'fastify' {
  interface FastifyRequest {
    user: object | null
  }
}

/**
 * The floor that figures are held against: nothing but Fastify, pg and sharp, on the same tables with the same
 * indexes, with a session check on every request. It asks as cheaply as one can: statements prepared under a name, a
 * pool as large as ours, only the columns that are answered. No validation, no roles, no jobs, no events.
 */
const [port, databaseUrl, folder] = process.argv.slice(2) as [string, string, string]
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
const app = Fastify({ bodyLimit: 1024 ** 3 })
app.addContentTypeParser('*', (_request, body, done) => done(null, body))

const prepared =
  (name: string, text: string) =>
  async (values: unknown[], client: Asks = pool) =>
    (await client.query({ name, text, values })).rows
type Asks = Pick<pg.PoolClient, 'query'>

const token = (cookie = '') =>
  createHash('sha256')
    .update(/session=([^;]+)/.exec(cookie)?.[1] ?? '')
    .digest('hex')

const userOf = prepared(
  'session',
  `select u.id, u.name, u.email, u.role from login_sessions s join users u on u.id = s.user_id
   where s.token_hash = $1 and s.expires_at > now() and u.is_active`,
)
async function checkSession(cookie: string | undefined): Promise<object> {
  const [user] = await userOf([token(cookie)])
  if (!user) throw Object.assign(new Error('who?'), { statusCode: 401 })
  return user
}

app.decorateRequest('user', null)
app.addHook('onRequest', async (request) => {
  if (request.url !== '/open' && !request.url.startsWith('/put/'))
    request.user = await checkSession(request.headers.cookie)
})
app.get('/open', async () => ({ status: 'ok' }))
app.get('/me', async (request) => request.user)

const columns = `id, folder_id, title, description, alt_text, tags, allowed_surfaces, original_filename, mime_type, size_bytes, sha256,
  width, height, duration_seconds, details, version, media_state, placeholder, storyboard, created_at, created_by, updated_at`
type Query = { clientId: string; folderId: string; q: string; after?: string; id: string }

const inFolder = (more = '') =>
  `select ${columns} from assets where client_id = $1 and folder_id = $2 and trashed_at is null ${more} order by created_at desc, id desc limit 51`
const firstPage = prepared('first page', inFolder())
const deepPage = prepared('deep page', inFolder('and (created_at, id) < ($3::timestamptz, $4)'))
app.get<{ Querystring: Query }>('/page', async ({ query: { clientId, folderId, after, id } }) => {
  const rows = await (after ? deepPage([clientId, folderId, after, id]) : firstPage([clientId, folderId]))
  return { assets: rows.slice(0, 50) }
})
/** By the index that knows its words and three digits of its numbers. */
const found = prepared(
  'search',
  `select ${columns} from assets where client_id = $1 and trashed_at is null
   and in_client(client_id, word_list(search_text)) && array[$1 || ' ' || $2]
   and in_client(client_id, digit_triples(search_text)) @> array[$1 || ' ' || $3] order by created_at desc, id desc limit 51`,
)
app.get<{ Querystring: Query }>('/search', async ({ query: { clientId, q } }) => {
  const [word, number] = q.split(' ')
  return { assets: (await found([clientId, word, number])).slice(0, 50) }
})
const asset = prepared('asset', `select ${columns} from assets where client_id = $1 and id = $2`)
app.get<{ Querystring: Query }>('/asset', async ({ query }) => (await asset([query.clientId, query.id]))[0])
const folders = prepared(
  'folders',
  'select id, parent_id, name, created_at, updated_at from folders where client_id = $1 and trashed_at is null order by name_key',
)
app.get<{ Querystring: Query }>('/tree', async ({ query }) => ({ folders: await folders([query.clientId]) }))
app.post<{ Body: { clientId: string; folderId: string; parentId: string | null } }>(
  '/move',
  async ({ body }) => {
    await pool.query(
      'update folders set parent_id = $3, updated_at = now() where client_id = $1 and id = $2',
      [body.clientId, body.folderId, body.parentId],
    )
    return {}
  },
)

const openSession = prepared(
  'open session',
  `insert into upload_sessions (client_id, id, token_hash, asset_id, original_filename, mime_type, expected_size_bytes, created_by, expires_at, urls_expire_at, sweep_at)
   values ($1, $2, $3, $4, 'a.png', 'image/png', $5, 'floor', now(), now(), now() + interval '1 day')`,
)
app.post<{ Body: { clientId: string; size: number } }>('/session', async ({ body }) => {
  const id = randomUUID()
  const hash = createHash('sha256').update(id).digest('hex')
  await openSession([body.clientId, id, hash, `asset_${id}`, body.size])
  return { id, uploadUrl: `http://127.0.0.1:${port}/put/${id}` }
})
app.put<{ Params: { id: string } }>('/put/:id', async ({ params, body }) => {
  await pipeline(body as NodeJS.ReadableStream, createWriteStream(`${folder}/${params.id}`, { flush: true }))
  return {}
})
const closeSession = prepared(
  'close session',
  'update upload_sessions set status = $3 where client_id = $1 and id = $2',
)
const insertAsset = prepared(
  'insert asset',
  `insert into assets (client_id, id, title, original_filename, mime_type, size_bytes, sha256, width, height, created_by)
   values ($1, $2, 'a', 'a.png', 'image/png', $3, $4, $5, $6, 'floor') returning ${columns}`,
)
const insertVersion = prepared(
  'insert version',
  `insert into asset_versions (client_id, asset_id, version, upload_id, object_prefix, original_filename, mime_type, size_bytes, sha256, crc32, created_by)
   values ($1, $2, 1, $3, $3, 'a.png', 'image/png', $4, $5, $6, 'floor')`,
)
/** Out of reach of who put it, then its checksums and its header: what of a file has to be true before it is an asset. */
app.post<{ Body: { clientId: string; id: string } }>('/finalize', async ({ body: { clientId, id } }) => {
  const path = `${folder}/${id}.original`
  await rename(`${folder}/${id}`, path)
  const bytes = await readFile(path)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const sum = crc32(bytes)
  const { width, height } = await sharp(bytes).metadata()
  const client = await pool.connect()
  await client.query('begin')
  await closeSession([clientId, id, 'finalized'], client)
  const [made] = await insertAsset([clientId, `asset_${id}`, bytes.length, sha256, width, height], client)
  await insertVersion([clientId, `asset_${id}`, id, bytes.length, sha256, sum], client)
  await client.query('commit')
  client.release()
  return made
})

app.get<{ Querystring: { path: string } }>('/file', async ({ query }, reply) => {
  const { size } = await stat(query.path)
  return reply
    .header('content-length', size)
    .type('application/octet-stream')
    .send(createReadStream(query.path))
})
app.get<{ Querystring: { path: string } }>('/warm', async ({ query }, reply) =>
  reply.type('image/webp').send(await readFile(query.path)),
)
sharp.concurrency(1)
app.get<{ Querystring: { path: string } }>('/cold', async ({ query }, reply) =>
  reply
    .type('image/webp')
    .send(await sharp(query.path).rotate().resize(320, 320, { fit: 'inside' }).webp().toBuffer()),
)

app.get<{ Querystring: { path: string } }>('/sizes', async ({ query }) => {
  const sizes = [320, 640, 1600].map((side) =>
    sharp(query.path)
      .rotate()
      .resize(side, side, { fit: 'inside' })
      .webp({ quality: 80, effort: 2 })
      .toBuffer(),
  )
  return (await Promise.all(sizes)).map((bytes) => bytes.length)
})

await app.listen({ port: Number(port), host: '127.0.0.1' })
process.send?.('listening')
process.on('disconnect', () => process.exit(0))
