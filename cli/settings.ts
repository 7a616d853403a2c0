import { settings } from '../server/config.ts'

for (const { name, default: standard, explain } of settings)
  console.log(`${name.padEnd(27)}${standard.padEnd(40)}${explain}`)
