#!/usr/bin/env node
// Plain JavaScript, so that even an old Node can read it and be told that it is old.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `Node ${process.versions.node} is too old: use 22.18 or later, or run through npm (npm start), which brings its own.`,
  )
  process.exit(1)
}

const commands = ['serve', 'build', 'settings', 'doctor']
const [name = 'serve'] = process.argv.slice(2)
if (!commands.includes(name)) {
  console.error(`There is no command ${name}. Commands: ${commands.join(', ')}.`)
  process.exit(2)
}
await import(`./${name}.ts`)
