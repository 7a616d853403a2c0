import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { firstAdmin } from './access/first-admin.ts'
import { buildApp } from './app.ts'
import { type Background, startBackground } from './background.ts'
import { CannotStart, type Config, type Environment, readConfig } from './config.ts'
import { fillDemo } from './demo.ts'
import { answerProbes } from './http/probes.ts'
import type { Parts } from './library.ts'
import { answerBackups } from './live-backup.ts'
import { openParts } from './parts.ts'
import { reseal } from './reseal.ts'
import { openLog } from './telemetry/log.ts'

/** Env → config → parts → listen. */
export async function main(): Promise<void> {
  try {
    if (existsSync('.env')) process.loadEnvFile('.env')
    await serve(readConfig(process.env as Environment))
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error
    console.error(`Cannot start: ${error.message}`)
    process.exit(1)
  }
}

async function serve(config: Config): Promise<void> {
  const log = openLog(config.logLevel)
  if (!config.databaseUrl)
    console.log('Opening the embedded database (not for production; the first time takes a few seconds) …')
  const parts = await openParts(config, log)
  const leaving = new AbortController()
  const app = await buildApp(parts, { log, leaving: leaving.signal })
  let background: Background | undefined
  const backups = await answerBackups(parts, log)
  const stop = firstTimeOnly(async (why: string) => {
    log.info(`${why}: finishing what is under way`)
    leaving.abort()
    if (why === 'SIGTERM' && config.role !== 'worker') await pause(config.drainSeconds * 1000)
    setTimeout(() => {
      log.error(`Not finished within ${config.stopSeconds} s (STOP_SECONDS): ending all the same`)
      process.exit(1)
    }, config.stopSeconds * 1000).unref()
    backups?.close()
    await background?.stop()
    await app.close()
    await parts.close()
    process.exit(0)
  })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal))

  try {
    const { port, host, metricsPort } = config
    if (config.role !== 'worker') await listening(port, host, () => app.listen({ port, host }))
    else if (metricsPort) await listening(metricsPort, host, () => answerProbes(app, metricsPort, host))
    // Last, when nothing can fail any more: the password of a start that failed would never be shown.
    const admin = await firstAdmin(parts.db, config.bootstrapAdmin)
    if (admin && config.demo && parts.store.kind === 'disk') await fillDemo(parts)
    await reseal(parts, log)
    await tryCertificate(parts, log)
    if (config.role !== 'api') background = await startBackground(parts, log)
    announce(config, admin)
  } catch (error) {
    await background?.stop()
    await app.close()
    await parts.close()
    throw error
  }
}

/** One that does not do is told of once: nothing is signed then, and all else goes on. */
async function tryCertificate({ config, media }: Parts, log: FastifyBaseLogger): Promise<void> {
  if (!Object.values(config.c2pa).some(Boolean)) return
  const problems = await media.capabilities().then(
    ({ signatures }) => signatures.problems,
    ({ message }: Error) => [message],
  )
  for (const problem of problems) log.warn(problem)
}

async function listening(port: number, host: string, listen: () => Promise<unknown>): Promise<void> {
  try {
    await listen()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new CannotStart(`Port ${port} is in use. Stop what uses it or set PORT to another.`)
    if (code === 'EACCES')
      throw new CannotStart(`Port ${port} may not be used by this user. Set PORT to one above 1023.`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new CannotStart(`HOST ${host} is not an address of this machine.`)
    throw error
  }
}

function announce(config: Config, admin: Awaited<ReturnType<typeof firstAdmin>>): void {
  const lines = [
    config.role === 'worker'
      ? 'Working on jobs.'
      : `Client Asset Library is at ${config.publicUrl} (API: ${config.publicUrl}/docs)`,
  ]
  if (config.storage.kind === 'not-configured')
    lines.push(`Uploads are refused: set ${config.storage.missing.join(', ')} and restart.`)
  if (config.previousStorage)
    lines.push('What the store lacks is read from STORAGE_PREVIOUS: run npx asset-library move-storage.')
  if (admin)
    lines.push(
      `Log in as ${admin.email}${admin.password ? ` with the password ${admin.password}   (shown only now)` : ''}`,
    )
  console.log(lines.join('\n'))
}

function firstTimeOnly<A extends unknown[]>(work: (...args: A) => Promise<void>): (...args: A) => void {
  let begun = false
  return (...args) => {
    if (begun) return
    begun = true
    void work(...args)
  }
}
