import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { crc32 } from 'node:zlib'
import Fastify from 'fastify'
import pg from 'pg'
import sharp from 'sharp'

/**
 * The floor that figures are held against: nothing but Fastify, pg and sharp, on the same tables with the same
 * indexes, with a session check on every request. No validation, no roles, no jobs, no events.
 */
const [port, databaseUrl, folder] = process.argv.slice(2) as [string, string, string]
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
const app = Fastify({ bodyLimit: 1024 ** 3 })
app.addContentTypeParser('*', (_request, body, done) => done(null, body))

const token = (cookie = '') =>
  createHash('sha256')
    .update(/session=([^;]+)/.exec(cookie)?.[1] ?? '')
    .digest('hex')

async function checkSession(cookie: string | undefined): Promise<void> {
  const { rows } = await pool.query(
    'select u.id from login_sessions s join users u on u.id = s.user_id where s.token_hash = $1 and s.expires_at > now() and u.is_active',
    [token(cookie)],
  )
  if (rows.length === 0) throw Object.assign(new Error('who?'), { statusCode: 401 })
}

app.addHook('onRequest', async (request) => {
  if (request.url !== '/open' && !request.url.startsWith('/put/')) await checkSession(request.headers.cookie)
})
app.get('/open', async () => ({ status: 'ok' }))
app.get('/me', async () => ({ status: 'ok' }))

const columns = `id, folder_id, title, description, alt_text, tags, allowed_surfaces, original_filename, mime_type, size_bytes, sha256,
  width, height, duration_seconds, details, version, media_state, placeholder, storyboard, created_at, created_by, updated_at`
type Query = { clientId: string; folderId: string; q: string; after?: string; id?: string }

app.get<{ Querystring: Query }>('/page', async ({ query }) => {
  const deep = query.after ? 'and (created_at, id) < ($3::timestamptz, $4)' : ''
  const { rows } = await pool.query(
    `select ${columns} from assets where client_id = $1 and folder_id = $2 and trashed_at is null ${deep} order by created_at desc, id desc limit 51`,
    [query.clientId, query.folderId, ...(query.after ? [query.after, query.id] : [])],
  )
  return { assets: rows.slice(0, 50) }
})
app.get<{ Querystring: Query }>('/search', async ({ query }) => {
  const { rows } = await pool.query(
    `select ${columns} from assets where client_id = $1 and trashed_at is null and search_text like $2 order by created_at desc, id desc limit 51`,
    [query.clientId, `%${query.q}%`],
  )
  return { assets: rows.slice(0, 50) }
})
app.get<{ Querystring: Query }>('/tree', async ({ query }) => {
  const { rows } = await pool.query(
    'select id, parent_id, name, created_at, updated_at from folders where client_id = $1 and trashed_at is null order by name_key',
    [query.clientId],
  )
  return { folders: rows }
})
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

app.post<{ Body: { clientId: string; size: number } }>('/session', async ({ body }) => {
  const id = randomUUID()
  await pool.query(
    `insert into upload_sessions (client_id, id, token_hash, asset_id, original_filename, mime_type, expected_size_bytes, created_by, expires_at, urls_expire_at, sweep_at)
     values ($1, $2, $3, $4, 'a.png', 'image/png', $5, 'floor', now(), now(), now() + interval '1 day')`,
    [body.clientId, id, createHash('sha256').update(id).digest('hex'), `asset_${id}`, body.size],
  )
  return { id, uploadUrl: `http://127.0.0.1:${port}/put/${id}` }
})
app.put<{ Params: { id: string } }>('/put/:id', async ({ params, body }) => {
  await pipeline(body as NodeJS.ReadableStream, createWriteStream(`${folder}/${params.id}`, { flush: true }))
  return {}
})
app.post<{ Body: { clientId: string; id: string } }>('/finalize', async ({ body }) => {
  const bytes = await readFile(`${folder}/${body.id}`)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const sum = crc32(bytes)
  const client = await pool.connect()
  await client.query('begin')
  await client.query('update upload_sessions set status = $3 where client_id = $1 and id = $2', [
    body.clientId,
    body.id,
    'finalized',
  ])
  const { rows } = await client.query(
    `insert into assets (client_id, id, title, original_filename, mime_type, size_bytes, sha256, created_by) values ($1, $2, 'a', 'a.png', 'image/png', $3, $4, 'floor') returning *`,
    [body.clientId, `asset_${body.id}`, bytes.length, sha256],
  )
  await client.query(
    `insert into asset_versions (client_id, asset_id, version, upload_id, object_prefix, original_filename, mime_type, size_bytes, sha256, crc32, created_by)
     values ($1, $2, 1, $3, $3, 'a.png', 'image/png', $4, $5, $6, 'floor')`,
    [body.clientId, `asset_${body.id}`, body.id, bytes.length, sha256, sum],
  )
  await client.query('commit')
  client.release()
  return rows[0]
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

await app.listen({ port: Number(port), host: '127.0.0.1' })
process.send?.('listening')
process.on('disconnect', () => process.exit(0))
