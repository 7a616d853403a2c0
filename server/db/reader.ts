import type { Kysely, Transaction } from 'kysely'
import type { Schema } from './schema.ts'

export type Db = Kysely<Schema>
export type Trx = Transaction<Schema>
/** Either: for a read that serves both inside and outside a transaction. */
export type Reader = Db | Trx
