// Loaded before a program, with --require: writes down at its end what it has loaded.
const { writeFileSync } = require('node:fs')

process.once('exit', () => {
  const files = Object.keys(require.cache).filter(file => file !== __filename)
  const builtins = process.moduleLoadList.map(name => name.replace(/^.*? /, ''))
  writeFileSync(process.env.LOADED_FILE, JSON.stringify({ files, builtins }))
})
