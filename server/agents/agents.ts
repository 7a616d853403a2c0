import type { Selectable } from 'kysely'
import type { AgentHeartbeat, AgentRun, AgentRuntime, AgentRuntimeQuery } from '../../contract/diagnostics.ts'
import { plainly, unturned } from '../../contract/words.ts'
import { clientsOf, visibleClient } from '../access/visible.ts'
import type { Db, Trx } from '../db/database.ts'
import type { AgentRuntimesTable } from '../db/schema.ts'
import type { Caller } from '../library.ts'
import { notFound, Problem } from '../problems.ts'

const staleAfter = 5 * 60_000
const runsKept = 20
const mostAgents = 200
const agentsKeptDays = 30

export async function agentRuntime(
  db: Db,
  caller: Caller,
  agentId: string,
  { clientId }: AgentRuntimeQuery,
): Promise<AgentRuntime> {
  const row = await db
    .selectFrom('agent_runtimes')
    .selectAll()
    .where('agent_id', '=', agentId)
    .$if(clientId !== undefined, (agents) => agents.where('client_id', '=', clientId!))
    .$if(!caller.allClients, (agents) => agents.where('client_id', 'in', clientsOf(db, caller)))
    .orderBy('heartbeat_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) throw notFound()
  return toRuntime(row)
}

/** An agent writes about itself: what it does now, and the run it has just finished. */
export async function beat(
  db: Db,
  caller: Caller,
  agentId: string,
  input: AgentHeartbeat,
): Promise<AgentRuntime> {
  if (caller.kind !== 'key')
    throw new Problem('forbidden', 'Agents write their own state, with their API key.')
  if (!/^[A-Za-z0-9._:-]{1,100}$/.test(agentId)) throw notFound()
  const clientId = await visibleClient(db, caller, input.clientId)
  return db.transaction().execute(async (trx) => {
    const before = await trx
      .selectFrom('agent_runtimes')
      .select('recent_runs')
      .where('client_id', '=', clientId)
      .where('agent_id', '=', agentId)
      .forUpdate()
      .executeTakeFirst()
    if (!before) await refuseTooMany(trx, clientId)
    const runs = [...(input.finishedRun ? [tidyRun(input.finishedRun)] : []), ...(before?.recent_runs ?? [])]
    const columns = {
      key_id: caller.id,
      state: input.state,
      current_job: input.currentJob ? plainly(input.currentJob) : null,
      recent_runs: JSON.stringify(runs.slice(0, runsKept)),
      heartbeat_at: new Date(),
    }
    const row = await trx
      .insertInto('agent_runtimes')
      .values({ client_id: clientId, agent_id: agentId, ...columns })
      .onConflict((conflict) => conflict.columns(['client_id', 'agent_id']).doUpdateSet(columns))
      .returningAll()
      .executeTakeFirstOrThrow()
    return toRuntime(row)
  })
}

const tidyRun = ({ job, error, ...run }: AgentRun) => ({
  ...run,
  job: plainly(job),
  ...(error !== undefined && { error: unturned(error) }),
})

/** Counted under the client's lock, so that those who come at once count too. */
async function refuseTooMany(trx: Trx, clientId: string): Promise<void> {
  await trx
    .selectFrom('client_counters')
    .select('client_id')
    .where('client_id', '=', clientId)
    .forUpdate()
    .execute()
  const { agents } = await trx
    .selectFrom('agent_runtimes')
    .select(({ fn }) => fn.countAll<number>().as('agents'))
    .where('client_id', '=', clientId)
    .executeTakeFirstOrThrow()
  if (agents >= mostAgents)
    throw new Problem(
      'too-many-agents',
      `This client has ${mostAgents} agents. Write as one of them, or wait: an agent that is silent for ${agentsKeptDays} days is forgotten.`,
    )
}

/** Agents that nobody has heard of for long make room for others. */
export const forgetSilentAgents = (db: Db) =>
  db
    .deleteFrom('agent_runtimes')
    .where('heartbeat_at', '<', new Date(Date.now() - agentsKeptDays * 86_400_000))
    .execute()

export function toRuntime(row: Selectable<AgentRuntimesTable>): AgentRuntime {
  const silent = Date.now() - row.heartbeat_at.getTime() > staleAfter
  return {
    agentId: row.agent_id,
    clientId: row.client_id,
    state: silent && row.state !== 'stopped' ? 'stale' : row.state,
    lastHeartbeatAt: row.heartbeat_at.toISOString(),
    currentJob: row.current_job,
    recentRuns: row.recent_runs as AgentRuntime['recentRuns'],
  }
}
