import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CannotStart, type Config, type Environment, readConfig } from '../server/config.ts'
import { openDatabase } from '../server/db/database.ts'
import { openMedia } from '../server/media/media.ts'
import { openStore } from '../server/parts.ts'

/** Looks at everything the server leans on, and says of each what is wrong and the line that mends it. */
interface Finding {
  part: string
  ok: boolean
  says: string
}

if (existsSync('.env')) process.loadEnvFile('.env')
const findings = await examine()
if (process.argv.includes('--json')) console.log(JSON.stringify(findings, null, 2))
else
  for (const { part, ok, says } of findings) console.log(`${ok ? 'ok  ' : 'FAIL'}  ${part.padEnd(10)}${says}`)
process.exit(findings.every(({ ok }) => ok) ? 0 : 1)

async function examine(): Promise<Finding[]> {
  let config: Config
  try {
    config = readConfig(process.env as Environment)
  } catch (error) {
    return [{ part: 'settings', ok: false, says: (error as Error).message }]
  }
  const settings = { part: 'settings', ok: true, says: `Node ${process.versions.node}, ${config.publicUrl}` }
  return [settings, await database(config), await storage(config), ...(await media(config))]
}

async function database(config: Config): Promise<Finding> {
  const part = 'database'
  try {
    const { pool, close } = await openDatabase(config)
    const { rows } = await pool.query<{ version: string }>('show server_version')
    await close()
    const where = config.databaseUrl ? 'PostgreSQL' : 'embedded, not for production; PostgreSQL'
    return { part, ok: true, says: `${where} ${Object.values(rows[0]!)[0]}` }
  } catch (error) {
    const held = error instanceof CannotStart && /in use by another running server/.test(error.message)
    return held
      ? { part, ok: true, says: 'embedded, in use by the running server' }
      : { part, ok: false, says: (error as Error).message }
  }
}

async function storage(config: Config): Promise<Finding> {
  const part = 'storage'
  const store = openStore(config, config.secretKey ?? 'only looking')
  try {
    await store.check()
    return {
      part,
      ok: true,
      says:
        store.kind === 'disk'
          ? `on the disk under ${config.dataDir}, not for production`
          : 'the bucket answers',
    }
  } catch (error) {
    const { message, cause } = error as Error
    const why = cause instanceof Error ? ` (${cause.name}: ${cause.message})` : ''
    return { part, ok: false, says: `${message}${why}` }
  } finally {
    await store.close()
  }
}

async function media(config: Config): Promise<Finding[]> {
  const decoders = openMedia({ scratchFolder: join(config.dataDir, 'scratch'), ffmpeg: config.ffmpeg })
  try {
    const { sharp, libheif, libwebp, video, confined, fix } = await decoders.capabilities()
    const walls = Object.entries(confined)
      .filter(([, stands]) => !stands)
      .map(([name]) => name)
    return [
      { part: 'pictures', ok: true, says: `sharp ${sharp}, libwebp ${libwebp}, libheif ${libheif}` },
      {
        part: 'videos',
        ok: video !== 'none',
        says: video === 'none' ? `posters are drawn tiles. ${fix ?? ''}`.trim() : `posters by ${video}`,
      },
      {
        part: 'walls',
        ok: true,
        says:
          walls.length === 0
            ? 'decoders have no network and little memory'
            : `not had on this machine: ${walls.join(', ')}`,
      },
    ]
  } catch (error) {
    return [
      {
        part: 'pictures',
        ok: false,
        says: `No decoder starts: ${(error as Error).message} Run npm ci again.`,
      },
    ]
  } finally {
    await decoders.close()
  }
}
