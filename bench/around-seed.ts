import type pg from 'pg'
import { withoutIndexes } from './seed.ts'

/**
 * What years leave around a million assets: their files, what was said of them, who did what, where they went. Written
 * once they are there; the first user is the one who is spoken to.
 */
export async function seedAround(client: pg.Client, clientId: string): Promise<void> {
  const { rows } = await client.query<{ id: string }>('select id from users order by created_at, id limit 1')
  const userId = rows[0]!.id
  await withoutIndexes(client, async () => {
    await client.query(versions, [clientId])
    await client.query(trail, [clientId])
  }, ['asset_versions', 'audit_trail'])
  await client.query(numbered, [clientId])
  for (const insert of [comments, connections, deliveries, collections, shareLinks])
    await client.query(insert, [clientId])
  for (const insert of [mentions, notifications]) await client.query(insert, [clientId, userId])
  await client.query('drop table numbered')
}

const versions = `
  insert into asset_versions (client_id, asset_id, version, upload_id, object_prefix, original_filename, mime_type, size_bytes,
    width, height, details, evidence, text_sought_in, created_by, created_at, approval, approval_by, approval_at)
  select client_id, id, version, id, id, original_filename, mime_type, size_bytes, width, height, details, '{}', 'eng', created_by,
    created_at, approval, case when approval <> 'none' then created_by end,
    case when approval <> 'none' then created_at + (hashtext(id) & 1023) * interval '1 hour' end
  from assets where client_id = $1`

const trail = `
  insert into audit_trail (at, client_id, action, thing, name, details, principal_kind, principal_id, principal_name)
  select created_at, client_id, 'asset.created', id, title, '{}', 'user', created_by, created_by
  from assets where client_id = $1 order by created_at`

/** One asset in fifty, each with a number. */
const numbered = `
  create temporary table numbered as select id, created_at, row_number() over (order by id) as n
  from assets where client_id = $1 and trashed_at is null and hashtext(id) % 50 = 0`

const comments = `
  insert into comments (client_id, id, asset_id, version, words, created_by, created_at, resolved_at, resolved_by)
  select $1, 'comment_' || n, id, 1, 'Brighter, please', 'user 1', created_at + interval '1 day',
    case when n % 3 > 0 then created_at + interval '2 days' end, case when n % 3 > 0 then 'user 2' end
  from numbered`

const mentions = `
  insert into comment_mentions (client_id, comment_id, user_id) select $1, 'comment_' || n, $2 from numbered where n % 100 = 0`

const connections = `
  insert into connections (client_id, id, kind, name, settings, created_by)
  select $1, 'connection_' || n, 'webhook', 'Site ' || n, '{}', 'user 1' from generate_series(1, 20) n`

const deliveries = `
  insert into deliveries (client_id, id, asset_id, version, connection_id, rendition, surface, status, mark, created_at, created_by, asked_by)
  select $1, 'delivery_' || n, id, 1, 'connection_' || 1 + n % 20, 'website-hero', 'website',
    case when n % 100 = 0 then 'failed' else 'done' end, 'mark ' || n, created_at + interval '3 days', 'user 1', 'user 1'
  from numbered`

const collections = `
  insert into collections (client_id, id, name, name_key, created_by)
  select $1, 'collection_' || n, 'Collection ' || n, 'collection ' || n, 'user 1' from generate_series(1, 400) n`

const shareLinks = `
  insert into share_links (client_id, id, token_hash, title, allows, files, expires_at, collection_id, created_by, created_at)
  select $1, 'share_' || n, $1 || n, 'Link ' || n, 'view', 'rendition', now() + (n - 400) * interval '1 day',
    'collection_' || 1 + n % 400, 'user 1', now() - n * interval '1 day'
  from generate_series(1, 500) n`

const notifications = `
  insert into notifications (id, user_id, client_id, kind, cause, subject, name, count, event_id, created_at, read_at)
  select $1 || n, $2, $1, 'mentioned', 'cause ' || n, id, 'Somebody', 1, n, created_at, case when n % 10 > 0 then now() end
  from numbered where n % 4 = 0`
