// Loaded before a program, with --require: writes the used resources at its end.
const { writeFileSync } = require('node:fs')

process.once('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  writeFileSync(
    process.env.USAGE_FILE,
    JSON.stringify({ processor: (userCPUTime + systemCPUTime) / 1000, maxRSS }),
  )
})
