import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { endlessAnswers, startEndless } from '../support/endless-server.ts'
import { LocalServers } from '../support/local-servers.ts'

const servers = new LocalServers()
afterEach(() => servers.close())

const MiB = 1024 * 1024
/** The process is 23 MiB smaller before it than it was with the parser compiled twice (src/client/http-connection.ts). */
const mostGrowth = 40 * MiB
const main = resolve(import.meta.dirname, '../support/capped-read-main.ts')

/** What a process of its own makes of an answer without end, and when the server saw its connection closed. */
async function readEndless(name: string, cap: number, timeout: number) {
  const endless = endlessAnswers[name]
  if (endless === undefined) throw new Error(`there is no answer ${name}`)
  const server = await startEndless(servers, endless)
  const parameters = [main, `${server.url}/small`, server.url, String(cap), String(timeout)]
  const child = spawn(process.execPath, parameters, { stdio: ['pipe', 'pipe', 'inherit'] })
  try {
    const [printed] = (await once(child.stdout, 'data')) as [Buffer]
    const sent = await server.closed
    return { ...(JSON.parse(printed.toString()) as { end: string; grown: number }), sent }
  } finally {
    child.stdin.end()
    await once(child, 'close')
  }
}

/**
 * As `readEndless`, with the least growth of three processes at most: what the compiler and the garbage collector
 * of a busy machine take comes on top of what the answer took.
 */
async function measureEndless(name: string, cap: number, timeout = 3000) {
  let read = await readEndless(name, cap, timeout)
  for (let tries = 1; read.grown > mostGrowth && tries < 3; tries++) {
    await servers.close()
    read = await readEndless(name, cap, timeout)
  }
  return read
}

const tooLarge = (cap: number) => `AnswerTooLargeError: the answer is larger than ${cap} bytes`

describe('an answer without end is cut off at the cap, in little memory', () => {
  test.each<[string, number, string]>([
    ['without a length', MiB, tooLarge(MiB)],
    ['without a length', 16 * MiB, tooLarge(16 * MiB)],
    ['in chunks', MiB, tooLarge(MiB)],
    ['in chunks of one byte', 16 * MiB, tooLarge(16 * MiB)],
    ['with a length that it keeps', MiB, tooLarge(MiB)],
    // Nothing is unpacked: what counts is what came.
    ['packed', MiB, tooLarge(MiB)],
    [
      'with a header that never ends',
      MiB,
      'TransportError: Headers Overflow Error (UND_ERR_HEADERS_OVERFLOW)',
    ],
    ['with headers that never end', MiB, 'TransportError: Headers Overflow Error (UND_ERR_HEADERS_OVERFLOW)'],
  ])('%s, %i bytes', async (name, cap, end) => {
    const read = await measureEndless(name, cap)
    expect(read.end).toBe(end)
    expect(read.grown).toBeLessThanOrEqual(mostGrowth)
    // What lay in the buffers of the system comes on top.
    expect(read.sent).toBeLessThan(cap + 16 * MiB)
  })
})

test('announcements without an answer end with the time for it, in little memory', async () => {
  // Meanwhile both sides are busy: a second brings some hundred thousand of them.
  const read = await measureEndless('after announcements that never end', MiB, 1000)
  expect(read.end).toBe('RequestTimeoutError: no complete answer within 1 s')
  expect(read.grown).toBeLessThanOrEqual(mostGrowth)
})
