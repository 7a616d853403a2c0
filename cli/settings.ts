import { settings } from '../server/config.ts'
import type { Command } from './command.ts'

export const command: Command = {
  summary: 'Print every setting with its default and its meaning.',
  options: { env: { explain: 'As the text of .env.example.' } },
  run: async (given) => ({
    lines: given.flag('env') ? [asEnvFile()] : asTable(),
    json: settings,
  }),
}

const asEnvFile = () =>
  settings.map(({ name, default: standard, explain }) => `# ${explain}\n# ${name}=${standard}`).join('\n\n')

const asTable = () =>
  settings.map(({ name, default: standard, explain }) => `${name.padEnd(27)}${standard.padEnd(40)}${explain}`)
