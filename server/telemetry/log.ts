import pino, { type Logger } from 'pino'

/** JSON lines on standard output. */
export const openLog = (level: string): Logger => pino({ level, serializers: { err: plainError } })

interface PlainError {
  type: string
  message: string
  code?: unknown
  stack?: string | undefined
  cause?: PlainError
}

const deepest = 5

/**
 * Of an error its name, its words and where it was thrown. What libraries hang on theirs (rows, queries, whole
 * answers, addresses) may hold secrets and stays out.
 */
export function plainError(error: unknown, depth = 0): PlainError {
  if (!(error instanceof Error))
    return { type: typeof error, message: 'Something that is no error was thrown.' }
  const { code, cause } = error as Error & { code?: unknown }
  return {
    type: error.name,
    message: error.message,
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    stack: error.stack,
    ...(cause !== undefined && depth < deepest && { cause: plainError(cause, depth + 1) }),
  }
}
