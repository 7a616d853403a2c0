import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'
import type { Static, TSchema } from 'typebox'
import Format from 'typebox/format'
import { isHttpUrl } from '../../contract/http-url.ts'
import { isTimestamp } from '../../contract/timestamps.ts'
import { Problem } from '../problems.ts'

const longestBody = 15_000

/** How requests are read: strictly. Unknown members are refused, bodies are taken as they are written. */
export function checkRequests(app: FastifyInstance): void {
  // Text is all a URL or a header can hold, so there `5` may be a number.
  const inText = reader({ coerceTypes: true })
  app.setValidatorCompiler(({ schema, httpPart }) =>
    httpPart === 'body' ? bodyCheck(schema as object) : inText.compile(schema as object),
  )

  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, bytes, done) => {
    try {
      done(null, bytes.length === 0 ? undefined : parseJson(textOf(bytes as Buffer)))
    } catch (error) {
      done(error as Error)
    }
  })

  app.addHook('onRequest', (request, _reply, done) => {
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined)
      throw new Problem('invalid-request', 'Name the server in the Host header.')
    if (request.url.includes('%00'))
      throw new Problem('invalid-request', 'Remove the NUL character from the address.')
    if (!request.routeOptions.url?.startsWith('/objects/')) endSlowBody(request.raw)
    done()
  })
}

Format.Set('http-url', isHttpUrl)
Format.Set('date-time', isTimestamp)

function reader(more: object = {}): Ajv {
  const ajv = new Ajv({
    removeAdditional: false,
    useDefaults: true,
    strict: false,
    code: { regExp: Object.assign(patternOfField, { code: 'patternOfField' }) },
    ...more,
  })
  ;(formats as unknown as (ajv: Ajv) => void)(ajv)
  ajv.addFormat('http-url', isHttpUrl)
  ajv.addFormat('date-time', isTimestamp)
  return ajv
}

// Longer than any field that has a pattern: of such a text its length is told, and no time is spent on the rest.
const longestMatched = 10_000

function patternOfField(pattern: string, flags: string) {
  const expression = new RegExp(pattern, flags)
  return {
    test: (text: string) => text.length <= longestMatched && expression.test(text),
    // By which Ajv tells patterns apart: without it the first one would stand for all.
    toString: () => String(expression),
  }
}

const inBodies = reader()
const toTheEnd = reader({ allErrors: true })

/** All that is wrong with a body is told at once; of a very large one, what was found first. */
function bodyCheck(schema: object): (body: unknown) => { error: ErrorObject[] } | true {
  const fits = inBodies.compile(schema)
  let fitsToTheEnd: ValidateFunction | undefined
  return (body) => {
    if (fits(body)) return true
    if (!hasFewValues(body)) return { error: fits.errors! }
    fitsToTheEnd ??= toTheEnd.compile(schema)
    fitsToTheEnd(body)
    return { error: fitsToTheEnd.errors! }
  }
}

// A megabyte of wrong numbers would become half a million errors.
function hasFewValues(body: unknown): boolean {
  const values = [body]
  for (const value of values) {
    const inside = typeof value === 'object' && value !== null ? Object.values(value) : []
    if (values.length + inside.length > 10_000) return false
    values.push(...inside)
  }
  return true
}

/** Whether a body by this schema would be taken: for those who call a room without a request. */
export function bodyReader<T extends TSchema>(schema: T): (body: unknown) => Static<T> {
  const fits = inBodies.compile(schema)
  return (body) => {
    if (!fits(body))
      throw new Problem('invalid-request', `${inBodies.errorsText(fits.errors, { dataVar: 'It' })}.`)
    if (JSON.stringify(body).includes('\\u0000'))
      throw new Problem('invalid-request', 'Remove the NUL character.')
    return body as Static<T>
  }
}

/** Read as it is, what is no UTF-8 would be stored with marks in its place. */
function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new Problem('invalid-request', 'The body is not valid UTF-8. Send it as UTF-8.')
  return bytes.toString('utf8')
}

function parseJson(text: string): unknown {
  if (isDeep(text))
    throw new Problem('invalid-request', `The body is nested more than ${deepest} levels deep. Flatten it.`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Problem('invalid-request', 'The body is not valid JSON.')
  }
  // PostgreSQL's text cannot hold it, and no name has a use for it.
  if (text.includes('\\u0000') && JSON.stringify(value).includes('\\u0000'))
    throw new Problem('invalid-request', 'Remove the NUL character from the body.')
  // Nor can its JSON hold half of a character, which only an escape can write.
  if (/\\ud[89a-f]/i.test(text)) JSON.parse(text, refuseHalves)
  return value
}

const deepest = 50

// Looked at as text: parsing and checking half a million levels would keep everybody waiting.
function isDeep(text: string): boolean {
  let depth = 0
  for (const [mark] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/gs)) {
    if (mark === '[' || mark === '{') depth++
    else if (mark === ']' || mark === '}') depth--
    if (depth > deepest) return true
  }
  return false
}

function refuseHalves(name: string, value: unknown): unknown {
  if (name.isWellFormed() && (typeof value !== 'string' || value.isWellFormed())) return value
  throw new Problem('invalid-request', 'Remove the half of a character (a lone surrogate) from the body.')
}

// Node's own limit counts for uploads too, which may take long; this one is for JSON bodies. Nobody is cut off who waits for
// us to begin with theirs: the database may keep whoever looks at the caller waiting.
function endSlowBody(request: IncomingMessage): void {
  if (
    request.complete ||
    !(request.headers['transfer-encoding'] || Number(request.headers['content-length']) > 0)
  )
    return
  const timer = setInterval(() => {
    if (!request.complete && request.readableFlowing !== null) request.destroy()
  }, longestBody).unref()
  request.once('close', () => clearInterval(timer))
}
