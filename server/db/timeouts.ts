import type { Socket } from 'node:net'
import type { Pool, PoolClient } from 'pg'
import { PreparingClient } from './prepared.ts'

/**
 * Does not wait for ever for an answer. A line that swallows everything stays open, so a query that hears nothing ends
 * its connection, and whoever asked hears that the database is away. While an answer comes, it may take its time.
 */
export class ImpatientClient extends PreparingClient {
  /** For what takes as long as it takes. */
  patient = false
  #awaiting = false

  givesUpAfter(milliseconds: number): void {
    const socket = this.connection.stream as Socket
    socket.setTimeout(milliseconds)
    socket.on('timeout', () => {
      if (this.#awaiting && !this.patient)
        socket.destroy(Object.assign(new Error('The database does not answer.'), { code: 'ETIMEDOUT' }))
    })
    this.on('drain', () => {
      this.#awaiting = false
    })
  }

  override query(...args: unknown[]) {
    this.#awaiting = true
    return super.query(...args)
  }
}

/** For a migration, or waiting for another node's. */
export async function patiently<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  const bePatient = (patient: boolean) => {
    if (client instanceof ImpatientClient) client.patient = patient
  }
  try {
    bePatient(true)
    await client.query('set statement_timeout = 0')
    return await work(client)
  } finally {
    bePatient(false)
    await client.query('reset statement_timeout').catch(() => {})
    client.release()
  }
}
