import pg from 'pg'

/** What this leans on inside of pg, whose version is pinned. */
interface Inside {
  name: string
  _result: Shape & { _types: pg.CustomTypesConfig | undefined }
  _accumulateRows: boolean
  hasBeenParsed(connection: object): boolean
  prepare(connection: object): void
  handleRowDescription(message: unknown): void
}
interface Shape {
  fields: { name: string }[]
  _parsers: ((text: string) => unknown)[]
  parseRow(values: (string | null)[]): object
}
export type Answered = (error: Error | undefined, result: pg.QueryResult) => void
const Query = pg.Query as unknown as new (text: string, values: unknown[], answered: Answered) => Inside

/** The columns of what a connection has prepared. They stay: PostgreSQL would refuse the statement if they changed. */
interface Known {
  shapes: Map<string, Shape>
  /** The same connection, which asks for no description, and sends what is left in one piece. */
  undescribed: object
}
const known = new WeakMap<object, Known>()

function knownOf(connection: object): Known {
  const its = known.get(connection) ?? { shapes: new Map(), undescribed: undescribed(connection) }
  known.set(connection, its)
  return its
}

function undescribed(connection: object): object {
  const { _send: send } = connection as { _send(message: Buffer): void }
  let messages: Buffer[] = []
  return Object.assign(Object.create(connection), {
    describe() {},
    _send(message: Buffer) {
      messages.push(message)
    },
    sync() {
      send.call(connection, Buffer.concat([...messages, sync]))
      messages = []
    },
  })
}

/** PostgreSQL's message at the end of each statement. */
const sync = Buffer.from([0x53, 0, 0, 0, 4])

/** Has a connection forget what it prepared, if that is more than so many. */
export async function forgetBeyond(client: pg.PoolClient, most: number): Promise<void> {
  const { connection } = client as unknown as { connection: { parsedStatements: object } }
  const { shapes } = knownOf(connection)
  if (shapes.size <= most) return
  await client.query('deallocate all')
  connection.parsedStatements = {}
  shapes.clear()
}

/** Makes rows that all have one shape from the start: what puts columns in one by one makes rows that are slow to read, too. */
function rowMaker({ fields, _parsers }: Pick<Shape, 'fields' | '_parsers'>): Shape['parseRow'] {
  const columns = fields.map(
    ({ name }, at) =>
      `${JSON.stringify(name)}: values[${at}] === null ? null : parsers[${at}](values[${at}])`,
  )
  return new Function('parsers', `return (values) => ({ ${columns.join(', ')} })`)(_parsers)
}

interface Statement {
  name: string
  text: string
  values: unknown[]
  types: pg.CustomTypesConfig | undefined
}

/**
 * A statement under a name asks which columns it has the first time only: told each time, those of a wide row cost more
 * to read than the row.
 */
export class PreparedQuery extends Query {
  #connection: object = {}

  constructor({ name, text, values, types }: Statement, answered: Answered) {
    super(text, values, answered)
    this.name = name
    this._result._types = types
  }

  override prepare(connection: object): void {
    this.#connection = connection
    const { shapes, undescribed } = knownOf(connection)
    const shape = shapes.get(this.name)
    const isKnown = shape !== undefined && this.hasBeenParsed(connection)
    if (isKnown) {
      Object.assign(this._result, shape)
      this._accumulateRows = true
    }
    super.prepare(isKnown ? undescribed : connection)
  }

  override handleRowDescription(message: unknown): void {
    super.handleRowDescription(message)
    const { fields, _parsers } = this._result
    const shape = { fields, _parsers, parseRow: rowMaker(this._result) }
    Object.assign(this._result, shape)
    knownOf(this.#connection).shapes.set(this.name, shape)
  }
}
