import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../server/db/database.ts'
import { migrate } from '../../server/db/migrate.ts'
import { shared } from './shared.ts'

/** A migrated embedded database that each test file copies: making one anew takes seconds. */
export default async function setup(project: TestProject) {
  const template = await shared('embedded', makeTemplate)
  project.provide('embeddedTemplate', template.folder)
  return template.letGo
}

async function makeTemplate() {
  const folder = await mkdtemp(join(tmpdir(), 'library-embedded-'))
  const database = await openDatabase({ databaseUrl: undefined, dataDir: folder })
  await migrate(database.pool)
  await database.close()
  return { folder, end: () => rm(folder, { recursive: true, force: true }) }
}
