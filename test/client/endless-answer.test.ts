/** Tests the limits on endless answers. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { endlessAnswers, startEndlessServer } from '../support/endless-server.ts'
import { LocalServers } from '../support/local-servers.ts'

const servers = new LocalServers()
afterEach(() => servers.close())

const MiB = 1024 * 1024
/** The process is 23 MiB smaller before it than it was with the parser compiled twice (src/client/network/http-connection.ts). */
const mostGrowth = 40 * MiB
const main = resolve(import.meta.dirname, '../support/capped-read-main.ts')

/**
 * Reads endless answers in a separate process. Returns its result and the bytes that each server had sent when its
 * connection closed.
 */
async function readEndless(names: string[], cap: number, timeout: number) {
  const endless = await Promise.all(
    names.map(name =>
      startEndlessServer(servers, endlessAnswers[name] ?? expect.fail(`there is no answer ${name}`)),
    ),
  )
  const urls = endless.map(({ url }) => url)
  const parameters = [main, String(cap), String(timeout), `${urls[0]}/small`, ...urls]
  const child = spawn(process.execPath, parameters, { stdio: ['pipe', 'pipe', 'inherit'] })
  try {
    const [printed] = (await once(child.stdout, 'data')) as [Buffer]
    const sent = await Promise.all(endless.map(({ closed }) => closed))
    return { ...(JSON.parse(printed.toString()) as { ends: string[]; grown: number }), sent }
  } finally {
    child.stdin.end()
    await once(child, 'close')
  }
}

/**
 * As `readEndless`, with the least memory growth of up to three processes. On a busy machine, the compiler and the
 * garbage collector add memory of their own.
 */
async function measureEndless(names: string[], cap: number, timeout = 3000) {
  let read = await readEndless(names, cap, timeout)
  for (let tries = 1; read.grown > mostGrowth && tries < 3; tries++) {
    await servers.close()
    read = await readEndless(names, cap, timeout)
  }
  return read
}

const tooLarge = (cap: number) => `AnswerTooLargeError: the answer is larger than ${cap} bytes`
const tooManyHeaders = 'TransportError: Headers Overflow Error (UND_ERR_HEADERS_OVERFLOW)'

test.each<[number, Record<string, string>]>([
  [
    MiB,
    {
      'in chunks': tooLarge(MiB),
      'with a length that it keeps': tooLarge(MiB),
      // Nothing is unpacked: only the received bytes count.
      packed: tooLarge(MiB),
      'with a header that never ends': tooManyHeaders,
      'with headers that never end': tooManyHeaders,
    },
  ],
  [16 * MiB, { 'without a length': tooLarge(16 * MiB) }],
  [16 * MiB, { 'in chunks of one byte': tooLarge(16 * MiB) }],
])('endless answers are cut off at the cap of %i bytes, all of them in little memory', async (cap, ends) => {
  const read = await measureEndless(Object.keys(ends), cap)
  expect(read.ends).toEqual(Object.values(ends))
  expect(read.grown).toBeLessThanOrEqual(mostGrowth)
  // The buffers of the system hold some more bytes.
  expect(Math.max(...read.sent)).toBeLessThan(cap + 16 * MiB)
})

test('an announced but missing answer ends with its timeout, in little memory', async () => {
  // Meanwhile both sides are busy: half a second brings some hundred thousand of them.
  const read = await measureEndless(['after announcements that never end'], MiB, 500)
  expect(read.ends).toEqual(['RequestTimeoutError: no complete answer within 0.5 s'])
  expect(read.grown).toBeLessThanOrEqual(mostGrowth)
})
