import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import type { Environment } from '../server/config.ts'

export const login = { email: 'admin@example.com', password: 'correct-horse-battery' }

/** Our server in a process of its own, as `npm start` runs it, once it is ready for requests. */
export async function serve(port: number, environment: Environment): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--max-semi-space-size=8', 'cli/asset-library.js', 'serve'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      LOG_LEVEL: 'error',
      BOOTSTRAP_ADMIN_EMAIL: login.email,
      BOOTSTRAP_ADMIN_PASSWORD: login.password,
      ...environment,
    },
  })
  while (!(await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.ok) {
    if (child.exitCode !== null) throw new Error('The server did not start')
    await pause(200)
  }
  return child
}
