/** The seam of production: real clock, randomness and network. */
import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Seam } from '#base/seam'
import { createSend } from './transport.ts'

export function createRealSeam(): Seam {
  return {
    // `performance` has the same clock, but loads all of Node.js's measuring code.
    now: () => Number(process.hrtime.bigint()) / 1e6,
    date: () => Date.now(),
    async sleep(ms, signal) {
      await delay(Math.max(0, ms), undefined, signal && { signal }).catch(error => {
        signal?.throwIfAborted()
        throw error
      })
    },
    after(ms, act) {
      const timer = setTimeout(act, ms).unref()
      return () => clearTimeout(timer)
    },
    random: () => randomInt(2 ** 47) / 2 ** 47,
    send: createSend(),
  }
}
