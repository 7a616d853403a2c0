import { existsSync } from 'node:fs'
import { startProgram } from './program.ts'

const xvfb = '/usr/bin/Xvfb'

export const missingScreen = () =>
  existsSync(xvfb) ? undefined : 'there is no screen to draw on (Debian: xvfb)'

/**
 * A screen that nobody sees. Without one Firefox takes itself for a telephone, and WebKit does not start; on that of
 * whoever runs the tests they would take the keys.
 */
export async function startScreen() {
  const screen = await startProgram(() => [
    xvfb,
    ...['-displayfd', '1', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'],
  ])
  const [number] = await screen.says(/^\d+\n/m)
  return { display: `:${number.trim()}`, end: screen.end }
}
