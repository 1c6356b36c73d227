/** Loaded before a program: no name is ever resolved, as with a DNS that does not answer. Reports each question. */
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'

dns.lookup = (() => {
  process.stdout.write('a name is looked up\n')
  // A real look-up keeps the process alive as well, because it cannot be cancelled.
  setInterval(() => {}, 60_000)
}) as never
syncBuiltinESMExports()
