import { expect, inject, onTestFinished, test } from 'vitest'
import { type Environment, readConfig } from '../config.ts'
import { openDatabase } from './database.ts'
import { openVectors } from './vectors.ts'

const open = async (environment: Environment) => {
  const database = await openDatabase(readConfig(environment))
  onTestFinished(() => database.close())
  return database
}

test('a database without pgvector is left as it is, and what to do is said in a line', async () => {
  const database = await open({ DATABASE_URL: `${inject('postgresUrl')}/postgres`, DATA_DIR: '/nowhere' })
  expect(await openVectors(database)).toBe(
    'There is no search by meaning, for the database has no pgvector. Install it there (Debian: postgresql-18-pgvector), then restart.',
  )
  const { rows } = await database.pool.query(`select to_regclass('asset_vectors') as made`)
  expect(rows).toEqual([{ made: null }])
})
