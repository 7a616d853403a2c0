import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { newId } from '../server/ids.ts'
import { json, peer } from './delivery-peers.ts'
import { type Family, readExposition } from './exposition.ts'
import { puts } from './person.ts'
import { pixel } from './pictures.ts'
import { refusal } from './refusal.ts'
import { ownWorld } from './world.ts'

const w = await ownWorld({ OUTBOUND_ALLOW: '127.0.0.1', DATABASE_POOL: '4' })

const figures = async () => readExposition((await w.nobody.get('/metrics')).body)

/** All samples with these labels, added up. */
function figure(families: Map<string, Family>, name: string, labels: Record<string, string> = {}): number {
  const family = families.get(name.replace(/_(count|sum)$/, '')) ?? families.get(name)
  expect(family, `${name} is told`).toBeDefined()
  return family!.samples
    .filter((sample) => sample.name === name)
    .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0)
}

/** A bit of everything that is counted. */
async function liveADay() {
  const { operator, agent, clientId } = await w.newClient()
  const { body: asset } = { body: await operator.uploads() }
  expect((await operator.get(`${operator.door.assets}/${asset.assetId}/preview?size=thumb`)).status).toBe(200)
  expect(await operator.opensUpload({ expectedSizeBytes: 10 ** 12 })).toMatchObject({ status: 413 })
  const { body: session } = await operator.opensUpload({ mimeType: 'image/gif' })
  await puts(session, pixel)
  expect(await operator.finalizes(session.uploadToken)).toEqual(refusal('unsupported-type'))
  const { body: broken } = await operator.opensUpload({ expectedSizeBytes: 9 })
  await puts(broken, Buffer.from('not a png'))
  expect((await operator.finalizes(broken.uploadToken)).status).toBe(422)

  const target = await peer((_received, response) => json(response, { message: 'no' }, 500))
  const { body: connection } = await w.admin.post(`/admin/clients/${clientId}/connections`, {
    kind: 'wordpress',
    name: 'Site',
    settings: { siteUrl: target.url },
    secrets: { username: 'user', applicationPassword: 'password' },
  })
  await w.admin.post(`/admin/clients/${clientId}/connections/${connection.connectionId}/test`)
  while ((await agent.reads(asset.assetId)).body.media.state === 'pending') await pause(100)
  return { operator, asset }
}

test('what happened can be read from /metrics, in a format that a strict reader takes', async () => {
  const before = await figures()
  await liveADay()
  const after = await figures()
  const grew = (name: string, labels?: Record<string, string>) =>
    figure(after, name, labels) - figure(before, name, labels)

  const session = '/admin/clients/:clientId/assets/upload-session'
  expect(grew('http_requests_total', { method: 'POST', route: session, status: '201' })).toBe(3)
  expect(grew('http_requests_total', { method: 'POST', route: session, status: '413' })).toBe(1)
  expect(grew('http_request_duration_seconds_count', { route: session, status: '2xx' })).toBe(3)
  expect(grew('http_request_duration_seconds_count', { route: session, status: '4xx' })).toBe(1)
  expect(grew('http_refusals_total', { code: 'too-large' })).toBe(1)

  expect(grew('upload_sessions_total')).toBe(3)
  expect(grew('uploads_finalized_total')).toBe(1)
  expect(grew('upload_bytes_total')).toBe(pixel.length)
  expect(grew('uploads_refused_total', { step: 'session', code: 'too-large' })).toBe(1)
  expect(grew('uploads_refused_total', { step: 'finalize', code: 'unsupported-type' })).toBe(1)

  expect(grew('jobs_run_total', { queue: 'media', outcome: 'done' })).toBe(1)
  expect(grew('job_duration_seconds_count', { queue: 'media' })).toBe(1)
  expect(after.get('jobs')!.samples.map(({ labels }) => labels.state)).toContain('queued')

  expect(grew('decoder_tasks_total', { task: 'inspect', outcome: 'ok' })).toBe(1)
  expect(grew('decoder_tasks_total', { task: 'inspect' })).toBe(2)
  expect(grew('decoder_task_duration_seconds_count', { task: 'looks' })).toBeGreaterThanOrEqual(1)
  expect(grew('decoder_starts_total')).toBeGreaterThanOrEqual(1)
  expect(figure(after, 'decoders')).toBeGreaterThanOrEqual(1)
  for (const name of ['decoder_tasks_waiting', 'decoder_crashes_total']) figure(after, name)

  for (const op of ['copy', 'head', 'read', 'put'])
    expect(grew('storage_call_duration_seconds_count', { op, outcome: 'ok' }), op).toBeGreaterThan(0)
  expect(grew('outbound_call_duration_seconds_count', { outcome: 'answered' })).toBeGreaterThan(0)

  expect(figure(after, 'database_connections', { state: 'open' })).toBeGreaterThan(0)
  expect(figure(after, 'database_connections_max')).toBeGreaterThan(0)
  for (const name of [
    'nodejs_eventloop_lag_p99_seconds',
    'process_resident_memory_bytes',
    'process_open_fds',
    'process_cpu_seconds_total',
  ])
    expect(figure(after, name), name).toBeGreaterThan(0)
})

test('no caller can make the figures grow', async () => {
  const { operator } = await liveADay()
  const ask = async () => {
    const path = `/${crypto.randomUUID()}`
    await w.nobody.get(path)
    await w.nobody.get(`/pull/${crypto.randomUUID()}`)
    await w.nobody.fetch(path, { method: 'PROPFIND' })
    await operator.get(`${operator.door.assets}?q=${path}`)
    await operator.reads(newId('asset'))
    await operator.get(`/admin/clients/${newId('client')}/assets`)
    await w.nobody.get(`/app/${path}`)
    await w.nobody.get('/metrics')
  }
  const series = (families: Map<string, Family>) =>
    [...families.values()].flatMap(({ samples }) =>
      samples.map(({ name, labels }) => `${name}${JSON.stringify(labels)}`),
    )
  await ask()
  const before = series(await figures())
  for (let i = 0; i < 10; i++) await ask()
  const after = series(await figures())
  // What the runtime tells of itself (kinds of handles, of collections) comes and goes.
  const ours = (all: string[]) => all.filter((name) => !/^(nodejs|process)_/.test(name)).sort()
  expect(ours(after)).toEqual(ours(before))
  for (const name of after) expect(name).not.toMatch(/_[0-9a-hjkmnp-tv-z]{26}|[0-9a-f]{8}-[0-9a-f]{4}-/)
})

test('figures are told while the database does not answer', async () => {
  const { pool } = w.parts.database
  const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  try {
    const families = await figures()
    expect(families.get('jobs')!.samples).toEqual([])
    expect(figure(families, 'database_connections', { state: 'idle' })).toBe(0)
    expect(figure(families, 'http_requests_total')).toBeGreaterThan(0)
  } finally {
    for (const connection of held) connection.release()
  }
  expect((await figures()).get('jobs')!.samples.length).toBeGreaterThan(0)
})

test('the dashboard shows figures that are told, and all that are ours', async () => {
  await liveADay()
  const families = await figures()
  const dashboard = JSON.parse(readFileSync('docs/grafana-dashboard.json', 'utf8'))
  const expressions: string[] = dashboard.panels.flatMap((panel: { targets?: { expr: string }[] }) =>
    (panel.targets ?? []).map(({ expr }) => expr),
  )
  expect(expressions.length).toBeGreaterThan(15)
  const shown = new Set(expressions.flatMap(metricsIn))
  const told = new Map(
    [...families.values()].flatMap((family) => namesOf(family).map((name) => [name, family])),
  )
  for (const name of shown) expect(told.has(name), `${name} is told`).toBe(true)

  const missed = [...families.values()].filter(
    (family) => !/^(nodejs|process)_/.test(family.name) && !namesOf(family).some((name) => shown.has(name)),
  )
  expect(missed.map(({ name }) => name)).toEqual([])
})

const namesOf = ({ name, type }: Family) =>
  type === 'histogram' ? ['bucket', 'sum', 'count'].map((end) => `${name}_${end}`) : [name]

/** The names of metrics in a PromQL expression: what is neither a function, a label nor a word of the language. */
const metricsIn = (expression: string): string[] =>
  (
    expression
      .replace(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"/g, ' ')
      .replace(/\b(by|without|on|ignoring|group_left)\s*\([^)]*\)/g, ' ')
      .match(/[a-zA-Z_:][a-zA-Z0-9_:]*\b(?!\s*\()/g) ?? []
  ).filter((word) => !['by', 'without', 'on', 'and', 'or', 'unless', 'bool', 'e'].includes(word))
