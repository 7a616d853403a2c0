import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { CannotStart } from '../server/config.ts'
import { Problem } from '../server/problems.ts'
import { type Answer, type Command, exitCodes, Failed, type Given, type Group, Misuse } from './command.ts'

const commands: Record<string, () => Promise<{ command: Command | Group }>> = {
  serve: () => import('./serve.ts'),
  migrate: () => import('./migrate.ts'),
  doctor: () => import('./doctor.ts'),
  check: () => import('./check.ts'),
  sweep: () => import('./sweep.ts'),
  client: () => import('./client.ts'),
  user: () => import('./user.ts'),
  key: () => import('./key.ts'),
  import: () => import('./import.ts'),
  export: () => import('./export.ts'),
  backup: () => import('./backup.ts'),
  restore: () => import('./restore.ts'),
  'move-storage': () => import('./move-storage.ts'),
  settings: () => import('./settings.ts'),
  build: () => import('./build.ts'),
}

const wantsJson = process.argv.includes('--json')

export async function main(): Promise<void> {
  try {
    if (existsSync('.env')) process.loadEnvFile('.env')
    await obey(process.argv.slice(2))
  } catch (error) {
    end(...refusalOf(error))
  }
}

async function obey(argv: string[]): Promise<void> {
  const [name, ...rest] = argv
  if (name === undefined || name === '--help' || name === '-h' || name === 'help')
    return end(exitCodes.fine, await overview())
  const load = commands[name]
  if (!load) throw new Misuse(`There is no command ${name}. Commands: ${Object.keys(commands).join(', ')}.`)
  const { command: found } = await load()
  if (!('actions' in found)) return perform(name, found, rest)

  const [action, ...others] = rest
  if (action === undefined || action === '--help' || action === '-h')
    return end(action ? exitCodes.fine : exitCodes.misuse, groupHelp(name, found))
  const command = found.actions[action]
  if (!command)
    throw new Misuse(`There is no ${name} ${action}. Actions: ${Object.keys(found.actions).join(', ')}.`)
  return perform(`${name} ${action}`, command, others)
}

async function perform(name: string, command: Command, argv: string[]): Promise<void> {
  if (argv.includes('--help') || argv.includes('-h')) return end(exitCodes.fine, help(name, command))
  const answer: Answer = await command.run(readArguments(name, command, argv))
  end(
    answer.faulty ? exitCodes.faulty : exitCodes.fine,
    wantsJson ? JSON.stringify(answer.json, null, 2) : answer.lines.join('\n'),
  )
}

function readArguments(name: string, { takes = [], options = {} }: Command, argv: string[]): Given {
  const { values, positionals } = parsed(name, options, argv)
  if (positionals.length !== takes.length)
    throw new Misuse(
      takes.length === 0
        ? `${name} takes nothing but options, not ${positionals[0]}.`
        : `${name} takes ${takes.join(' and ')}. See asset-library ${name} --help.`,
    )
  for (const [option, { needed, value }] of Object.entries(options))
    if (needed && values[option] === undefined)
      throw new Misuse(`${name} needs --${option} ${value}. See asset-library ${name} --help.`)
  return {
    args: positionals,
    json: values.json === true,
    text: (option) => values[option] as string | undefined,
    needed: (option) => values[option] as string,
    flag: (option) => values[option] === true,
    list: (option) => (values[option] as string[] | undefined) ?? [],
  }
}

function parsed(
  name: string,
  options: NonNullable<Command['options']>,
  argv: string[],
): { values: Record<string, string | boolean | (string | boolean)[] | undefined>; positionals: string[] } {
  try {
    return parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        ...Object.fromEntries(
          Object.entries(options).map(([option, { value, many = false }]) => [
            option,
            { type: value ? ('string' as const) : ('boolean' as const), multiple: many },
          ]),
        ),
      },
    })
  } catch (error) {
    // Only the first sentence of Node's message says what is wrong.
    const [said] = (error as Error).message.split('. ')
    throw new Misuse(`${said!.replace(/\.$/, '')}. See asset-library ${name} --help.`)
  }
}

function refusalOf(error: unknown): [number, string, string] {
  const { message } = error as Error
  const [code, exitCode] =
    error instanceof Misuse
      ? ['wrong-use', exitCodes.misuse]
      : error instanceof Failed
        ? ['failed', exitCodes.faulty]
        : error instanceof CannotStart
          ? ['cannot-start', exitCodes.cannot]
          : error instanceof Problem
            ? [error.code, error.status === 503 ? exitCodes.cannot : exitCodes.faulty]
            : ['internal-error', exitCodes.cannot]
  const json = wantsJson ? JSON.stringify({ error: { code, detail: message } }, null, 2) : ''
  return [exitCode, json, code === 'internal-error' ? ((error as Error).stack ?? message) : message]
}

/** Only when all is written: a pipe may take its time. */
function end(exitCode: number, output: string, errors = ''): void {
  const finish = () => process.exit(exitCode)
  const print = () => (output ? process.stdout.write(`${output}\n`, finish) : finish())
  if (errors) process.stderr.write(`${errors}\n`, print)
  else print()
}

async function overview(): Promise<string> {
  const all = await Promise.all(
    Object.entries(commands).map(
      async ([name, load]) => `  ${name.padEnd(14)}${(await load()).command.summary}`,
    ),
  )
  return ['Usage: asset-library COMMAND [OPTIONS]', '', ...all, '', closing].join('\n')
}

const closing =
  'Every command takes --help, and --json for one JSON document instead of text.\nIt ends with 0 when all is well, 1 when something is wrong or was refused, 2 when used wrongly,\n3 when it could not be done (settings, database, storage, a running server).'

const groupHelp = (name: string, { summary, actions }: Group) =>
  [
    `Usage: asset-library ${name} ACTION [OPTIONS]`,
    '',
    summary,
    '',
    ...Object.entries(actions).map(([action, command]) => `  ${action.padEnd(14)}${command.summary}`),
  ].join('\n')

function help(name: string, { summary, takes = [], options = {}, explain }: Command): string {
  const written = Object.entries({
    ...options,
    json: { explain: 'One JSON document instead of text.' } as NonNullable<Command['options']>[string],
  }).map(([option, { value, explain: words, needed, many }]) => {
    const left = `--${option}${value ? ` ${value}` : ''}`
    return `  ${left.padEnd(24)}${words}${needed ? ' Needed.' : ''}${many ? ' May be repeated.' : ''}`
  })
  return [
    ['Usage: asset-library', name, ...takes, '[OPTIONS]'].join(' '),
    '',
    summary,
    ...(explain ? ['', explain] : []),
    '',
    ...written,
  ].join('\n')
}
