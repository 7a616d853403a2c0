import { main } from '../server/main.ts'
import type { Command } from './command.ts'

export const command: Command = {
  summary: 'Run the server.',
  explain:
    'Settings come from the environment and .env (asset-library settings). Its log is a JSON object a line.\nIt ends with 1 when it cannot start, and with 0 when it is told to stop (SIGTERM, SIGINT).',
  run: async () => {
    await main()
    return new Promise(() => {}) // the server ends the process itself
  },
}
