import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Where a transaction may begin: what goes through the first two ends with who did what in the audit trail. */
const transactions = [
  'server/access/guesses.ts', // as below, for what is no account
  'server/access/throttle.ts', // counts under a lock, and a guess is nobody's doing
  'server/agents/agents.ts', // an agent says that it lives, and nobody asks later
  'server/assets/near.ts', // it only reads, with settings of its own
  'server/changes/platform.ts',
  'server/library.ts',
  'server/meaning/embed-next.ts', // what a model makes of words is nobody's doing
]

/** What is written outside one, for it is nobody's doing: leases, counters, and what has served its time. */
const besides: Record<string, string[]> = {
  'server/access/callers.ts': ['api_keys', 'login_sessions'],
  'server/access/guesses.ts': ['login_attempts'],
  'server/access/links.ts': ['login_links'],
  'server/access/second-factor/steps.ts': ['login_steps'],
  'server/access/sessions.ts': ['login_sessions'],
  'server/access/throttle.ts': ['login_attempts'],
  'server/agent-sign-in/agents.ts': ['agent_codes', 'agent_tokens', 'api_keys'],
  'server/agent-sign-in/registration.ts': ['agent_apps'],
  'server/agents/agents.ts': ['agent_runtimes'],
  'server/assets/batches.ts': ['batches'],
  'server/assets/looks.ts': ['asset_looks'],
  'server/changes/idempotency.ts': ['idempotent_answers'],
  'server/collections/collections.ts': ['collections'],
  'server/connections/sign-in/pending.ts': ['connection_sign_ins'],
  'server/connections/sign-in/renewal.ts': ['connections'],
  'server/deliveries/pull-grants.ts': ['pull_grants'],
  'server/downloads/selection-archive.ts': ['downloads'],
  'server/events/stream.ts': ['events'],
  'server/ledger/ledger.ts': ['deliveries'],
  'server/jobs/scheduled-runs.ts': ['scheduled_runs'],
  'server/jobs/workers.ts': ['job_workers'],
  'server/mcp/subscriptions.ts': ['mcp_subscriptions'],
  'server/notifications/notifications.ts': ['notifications'],
  'server/picker/tokens.ts': ['picker_tokens'],
  'server/previews/derived.ts': ['derived_files'],
  'server/previews/film-renditions.ts': ['derived_files'],
  'server/reseal.ts': ['connections', 'users', 'webhooks'],
  'server/shares/share-links.ts': ['share_links'],
  'server/suggestions/daily-limit.ts': ['suggestion_days'],
  'server/suggestions/runs.ts': ['suggestion_runs', 'suggestions'],
  'server/removal/finish-removal.ts': ['client_removals'],
  'server/upload-requests/upload-requests.ts': ['upload_requests'],
  'server/uploads/claims.ts': ['upload_sessions'],
  'server/uploads/sessions.ts': ['upload_sessions'],
  'server/uploads/sweep.ts': ['upload_sessions'],
  'server/webhooks/attempts.ts': ['webhook_attempts'],
  'server/webhooks/send.ts': ['webhook_cursors', 'webhooks'],
  'server/webhooks/set-aside.ts': ['webhook_set_aside'],
  'server/webhooks/webhooks.ts': ['webhooks'],
}

const files = globSync('server/**/*.ts').filter((file) => !/\.test\.ts$/.test(file))

test('a transaction begins only where it ends with the audit trail', () => {
  const beginning = files.filter((file) => /\.transaction\(\)/.test(readFileSync(file, 'utf8')))
  expect(beginning.sort()).toEqual(transactions)
})

test('outside one, only what is named is written', () => {
  const written = files.flatMap((file) => {
    const tables = [...readFileSync(file, 'utf8').matchAll(writes)].map(([, table]) => table!)
    return tables.length > 0 ? [[file, [...new Set(tables)].sort()]] : []
  })
  expect(Object.fromEntries(written)).toEqual(besides)
})

const writes = /\bdb\s*\.(?:insertInto|updateTable|deleteFrom)\(\s*'(\w+)/g
