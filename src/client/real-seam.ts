import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Seam } from './seam.ts'
import { createSend } from './transport.ts'

/** The real clock, chance and network. */
export function createRealSeam(): Seam {
  return {
    // `performance` would load all that Node.js has for measuring, to say the same.
    now: () => Number(process.hrtime.bigint()) / 1e6,
    date: () => Date.now(),
    async sleep(ms, signal) {
      await delay(ms, undefined, signal && { signal }).catch(error => {
        signal?.throwIfAborted()
        throw error
      })
    },
    random: () => randomInt(2 ** 47) / 2 ** 47,
    send: createSend(),
  }
}
