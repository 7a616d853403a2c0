import { settings } from '../server/config.ts'

/** The table of settings; with `--env`, as the text of `.env.example`. */
if (process.argv.includes('--env'))
  console.log(
    settings
      .map(({ name, default: standard, explain }) => `# ${explain}\n# ${name}=${standard}`)
      .join('\n\n'),
  )
else
  for (const { name, default: standard, explain } of settings)
    console.log(`${name.padEnd(27)}${standard.padEnd(40)}${explain}`)
