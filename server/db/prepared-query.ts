import pg from 'pg'

/** What this leans on inside of pg, whose version is pinned. */
interface Inside {
  name: string
  _result: Shape
  _accumulateRows: boolean
  hasBeenParsed(connection: object): boolean
  prepare(connection: object): void
  handleRowDescription(message: unknown): void
}
interface Shape {
  fields: unknown
  _parsers: unknown
  _prebuiltEmptyResultObject: unknown
}
export type Answered = (error: Error | undefined, result: pg.QueryResult) => void
const Query = pg.Query as unknown as new (config: object, values: undefined, answered: Answered) => Inside

/** The columns of what a connection has prepared. They stay: PostgreSQL would refuse the statement if they changed. */
const shapes = new WeakMap<object, Map<string, Shape>>()

const undescribed = { describe: { value: () => {} } }

/**
 * A statement under a name asks which columns it has the first time only: told each time, those of a wide row cost more
 * to read than the row.
 */
export class PreparedQuery extends Query {
  #connection: object = {}

  override prepare(connection: object): void {
    this.#connection = connection
    const shape = shapes.get(connection)?.get(this.name)
    const isKnown = shape !== undefined && this.hasBeenParsed(connection)
    if (isKnown) {
      Object.assign(this._result, shape)
      this._accumulateRows = true
    }
    super.prepare(isKnown ? Object.create(connection, undescribed) : connection)
  }

  override handleRowDescription(message: unknown): void {
    super.handleRowDescription(message)
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result
    const known = shapes.get(this.#connection) ?? new Map<string, Shape>()
    shapes.set(this.#connection, known.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject }))
  }
}
