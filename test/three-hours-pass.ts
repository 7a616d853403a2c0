import { sql } from 'kysely'
import type { Server } from './world.ts'

/** As if the schedules had last been looked at three hours ago: what came due since is to be made up for. */
export async function threeHoursPass({ db }: Server['parts']) {
  await sql`update jobs.schedule set created_on = now() - interval '1 day'`.execute(db)
  await sql`delete from jobs.job where name like '\\_\\_pgboss%'`.execute(db)
  await sql`update jobs.version set cron_on = now() - interval '3 hours'`.execute(db)
}
