import type { Socket } from 'node:net'
import type { Pool, PoolClient } from 'pg'
import { PreparingClient } from './prepared.ts'

/**
 * Never waits for ever. A dead connection stays open, so a query that hears nothing ends
 * its connection, and whoever asked hears that the database is away. While an answer comes, it may take its time.
 */
export class TimingOutClient extends PreparingClient {
  /** Without a limit. */
  unlimited = false
  #awaiting = false

  givesUpAfter(milliseconds: number): void {
    const socket = this.connection.stream as Socket
    socket.setTimeout(milliseconds)
    socket.on('timeout', () => {
      if (this.#awaiting && !this.unlimited)
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
export async function withoutTimeout<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  const setUnlimited = (unlimited: boolean) => {
    if (client instanceof TimingOutClient) client.unlimited = unlimited
  }
  try {
    setUnlimited(true)
    await client.query('set statement_timeout = 0')
    return await work(client)
  } finally {
    setUnlimited(false)
    await client.query('reset statement_timeout').catch(() => {})
    client.release()
  }
}
