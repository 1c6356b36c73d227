/** Preloaded into a program: no name is ever resolved, as if DNS did not answer. Prints a line for each look-up. */
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'

dns.lookup = (() => {
  process.stdout.write('a name is looked up\n')
  // A real look-up keeps the process alive as well, because it cannot be cancelled.
  setInterval(() => {}, 60_000)
}) as never
syncBuiltinESMExports()
