import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ProblemCode, problems } from '../../contract/problems.ts'
import { plainRules } from '../../contract/words.ts'
import { Problem } from '../problems.ts'
import { HungUp } from './hung-up.ts'

declare module 'fastify' {
  interface FastifyRequest {
    refusedWith: ProblemCode | null
  }
}

/** The one place where a refusal or a fault becomes an answer: RFC 9457, no stack, no SQL. */
export function answerProblems(app: FastifyInstance): void {
  app.decorateRequest('refusedWith', null)
  app.setErrorHandler(answerProblem)
  app.setNotFoundHandler((request, reply) => {
    // Somebody with a browser who mistyped an address: the app has a page that says so.
    if (request.method === 'GET' && /\btext\/html\b/.test(request.headers.accept ?? ''))
      return reply.redirect('/app/nowhere')
    throw new Problem('not-found', 'There is nothing at this path. See /docs for what there is.')
  })
}

export function answerProblem(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof HungUp) return reply.raw.destroy()
  const problem = asProblem(error)
  request.refusedWith = problem.code
  logProblem(request.log, problem)
  if (reply.sent || reply.raw.headersSent) return reply.raw.destroy()
  // What was said about a file is not true of the problem that comes instead.
  for (const name of ofFiles) reply.removeHeader(name)
  return reply
    .code(problem.status)
    .header('content-type', 'application/problem+json')
    .header('cache-control', 'no-store')
    .headers(problem.headers)
    .send(problemBody(problem))
}

/** What is no caller's mistake is told to whoever runs this; with a stack, if that helps to find the fault. */
export function logProblem(
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>,
  problem: Problem,
  more = {},
): void {
  const { code, status, message: detail, cause } = problem
  if (status < 500) return
  if (isKnownState(problem)) log.warn({ detail, ...more }, code)
  else if (ofOthers.includes(code)) log.warn({ detail, because: (cause as Error)?.message, ...more }, code)
  else log.error({ err: code === 'internal-error' ? cause : problem, ...more }, code)
}

/** The answer names what is missing, or that there is too much to do. */
const isKnownState = ({ status, cause }: Problem) => status === 503 && cause === undefined

/** Somebody else's server did not do as it should; whose address that is, callers say. */
const ofOthers: ProblemCode[] = ['source-failed', 'target-failed', 'sign-in-failed', 'ai-failed']

const ofFiles = [
  'content-disposition',
  'content-length',
  'content-range',
  'accept-ranges',
  'etag',
  'cache-control',
]

export const problemBody = ({ code, message, extra }: Pick<Problem, 'code' | 'message' | 'extra'>) => ({
  type: `/docs/problems#${code}`,
  title: problems[code].title,
  status: problems[code].status,
  detail: message,
  code,
  ...extra,
})

/** Whatever was thrown, as the refusal it amounts to. */
export function asProblem(error: Partial<FastifyError> & Error): Problem {
  if (error instanceof Problem) return error
  if (error.validation) return invalidRequest(error)
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new Problem('unsupported-content-type', 'Send the body as application/json.')
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new Problem('body-too-large', 'Send a smaller body; files travel to the uploadUrl, not here.')
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
    return new Problem('invalid-request', `${error.message.replace(/\.$/, '')}.`)
  return new Problem(
    'internal-error',
    'This is our fault. Try again, and tell your administrator if it stays.',
    { cause: error },
  )
}

/** Something we lean on is away or overloaded, and what failed may well succeed later. */
export const isOutage = (error: unknown) => asProblem(error as Error).status === 503

function invalidRequest({ validation = [], validationContext }: Partial<FastifyError>): Problem {
  const errors = validation
    .slice(0, 50)
    .map(({ instancePath, message = 'is not valid', params, keyword }) => {
      const plain = plainRules[String(params.pattern)]
      return {
        path: keyword === 'required' ? `${instancePath}/${params.missingProperty}` : instancePath || '/',
        message:
          plain ??
          (keyword === 'additionalProperties' ? `does not know ${params.additionalProperty}` : message),
        rule: plain ? 'plain' : keyword,
        ...(typeof params.limit === 'number' && { limit: params.limit }),
      }
    })
  const [first] = errors
  return new Problem(
    'invalid-request',
    `Correct the ${validationContext ?? 'request'}: ${first?.path} ${first?.message}.`,
    {
      extra: { errors },
    },
  )
}
