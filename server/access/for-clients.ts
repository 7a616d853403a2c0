/** As the client's own people are told it: why an asset is under a legal hold is the agency's business. */
export function forClients<T>(said: T): T
export function forClients(said: unknown): unknown {
  if (Array.isArray(said)) return said.map((one) => forClients(one))
  if (!isRecord(said)) return said
  const told = Object.entries(said).map(([name, value]) => [
    name,
    name === 'hold' && isRecord(value) ? { ...value, reason: null } : forClients(value),
  ])
  return Object.fromEntries(told)
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
