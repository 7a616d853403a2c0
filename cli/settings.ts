import { type Setting, settings } from '../server/config.ts'
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
  settings.map((setting) => `# ${meaning(setting)}\n# ${setting.name}=${setting.default}`).join('\n\n')

const asTable = () =>
  settings.map((setting) => `${setting.name.padEnd(27)}${setting.default.padEnd(40)}${meaning(setting)}`)

const meaning = ({ name, explain, isSecret }: Setting) =>
  isSecret ? `${explain} ${name}_FILE names a file that holds it.` : explain
