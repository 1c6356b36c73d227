/** Loaded before a program: no name gets an address, as with a DNS that does not answer. It tells when it is asked. */
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'

dns.lookup = (() => {
  process.stdout.write('a name is looked up\n')
  // The real one keeps the process as well, for it cannot be called off.
  setInterval(() => {}, 60_000)
}) as never
syncBuiltinESMExports()
