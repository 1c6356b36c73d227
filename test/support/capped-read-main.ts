/**
 * Reads answers, one after the other, in a process of its own: `capped-read-main.ts <cap> <timeout> <address of a small
 * answer> <address>...`. Prints as JSON how each read ended, and by how many bytes the process grew at most. It then
 * stays until its stdin ends, so that the reads close the connections, and not the end of the process.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { createSend } from '#client/network/transport'

const [cap, timeout, small = '', ...addresses] = process.argv.slice(2)
const send = createSend()
const read = (url: string) =>
  send({ method: 'GET', url, headers: {}, timeout: Number(timeout), maxBytes: Number(cap) }).then(
    ({ status }) => `answered with ${status}`,
    (failure: Error) => `${failure.name}: ${failure.message}`,
  )
const largest = () => process.resourceUsage().maxRSS * 1024

// The first exchange loads the modules of all later ones.
for (let count = 0; count < 20; count++) await read(small)
const before = largest()
const ends: string[] = []
for (const address of addresses) ends.push(await read(address))
// Memory of reads that continue in the background counts as well.
await delay(200)
process.stdout.write(JSON.stringify({ ends, grown: largest() - before }))
process.stdin.resume().once('end', () => process.exit())
