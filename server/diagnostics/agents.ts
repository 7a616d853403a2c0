import type { AgentHeartbeat, AgentRuntime } from '../../contract/diagnostics.ts'
import { visibleClient } from '../access/visible.ts'
import type { Db } from '../db/database.ts'
import type { Caller } from '../library.ts'
import { notFound, Problem } from '../problems.ts'

const staleAfter = 5 * 60_000
const runsKept = 20

export async function agentRuntime(db: Db, caller: Caller, agentId: string): Promise<AgentRuntime> {
  const row = await db
    .selectFrom('agent_runtimes')
    .selectAll()
    .where('agent_id', '=', agentId)
    .executeTakeFirst()
  if (!row) throw notFound()
  await visibleClient(db, caller, row.client_id)
  const silent = Date.now() - row.heartbeat_at.getTime() > staleAfter
  return {
    agentId,
    state: silent && row.state !== 'stopped' ? 'stale' : row.state,
    lastHeartbeatAt: row.heartbeat_at.toISOString(),
    currentJob: row.current_job,
    recentRuns: row.recent_runs as AgentRuntime['recentRuns'],
  }
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
  await db.transaction().execute(async (trx) => {
    const before = await trx
      .selectFrom('agent_runtimes')
      .selectAll()
      .where('agent_id', '=', agentId)
      .forUpdate()
      .executeTakeFirst()
    if (before && before.client_id !== clientId) throw notFound()
    const runs = [...(input.finishedRun ? [input.finishedRun] : []), ...(before?.recent_runs ?? [])].slice(
      0,
      runsKept,
    )
    const columns = {
      client_id: clientId,
      key_id: caller.id,
      state: input.state,
      current_job: input.currentJob ?? null,
      recent_runs: JSON.stringify(runs),
      heartbeat_at: new Date(),
    }
    await trx
      .insertInto('agent_runtimes')
      .values({ agent_id: agentId, ...columns })
      .onConflict((conflict) =>
        conflict.column('agent_id').doUpdateSet(columns).where('agent_runtimes.client_id', '=', clientId),
      )
      .execute()
  })
  return agentRuntime(db, caller, agentId)
}
