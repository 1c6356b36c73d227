/** Tests the tap with malformed and hostile messages of servers and clients. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { createRealSeam } from '#client/network/real-seam'
import { openTap } from '#contents/rehearsal/tap/open-tap'
import type { Watch } from '#contents/rehearsal/tap/watch'
import {
  allPhases,
  hostileAnswers,
  loggedIn,
  message,
  phases,
  startHostileServer,
} from '../../../postgres/support/hostile-server.ts'
import { LocalServers } from '../../../support/local-servers.ts'
import { simple } from './support/raw-client.ts'
import { Witness } from './support/tap-database.ts'

const servers = new LocalServers()
afterAll(() => servers.close())

const startup = message('\0', Buffer.from('\0\x03\0\0user\0u\0\0')).subarray(1)
const password = message('p', Buffer.from('secret\0'))

function targetAt(port: number, sslmode = 'disable') {
  return { host: '127.0.0.1', port, user: 'u', password: '', database: 'd', sslmode }
}

/**
 * Sends each part after the answer to the one before, through a tap to the server at a port. Resolves to all answers after the
 * connection is closed.
 */
async function meet(port: number, watch: Watch, parts: Buffer[], sslmode = 'disable'): Promise<string> {
  const tap = await openTap(targetAt(port, sslmode), watch, createRealSeam())
  try {
    const client = connect(tap.port, '127.0.0.1').on('error', () => {})
    const left = [...parts]
    let answers = ''
    const sendNext = () => {
      const part = left.shift()
      if (part) client.write(part)
      else client.end()
    }
    client.on('connect', sendNext).on('data', bytes => {
      answers += bytes.toString('latin1')
      sendNext()
    })
    await once(client, 'close')
    return answers
  } finally {
    await tap.close()
  }
}

const problemsOf = ({ lines }: Witness) =>
  lines.flatMap(line => (line.startsWith('problem: ') ? [line.slice('problem: '.length)] : []))

describe.each(allPhases)('a server that answers %s with', phase => {
  const parts = phase === 'after a password' ? [startup, password] : [startup, simple('SELECT 1')]

  it.each(hostileAnswers)('%s ends the connection with at most one problem', async (_, answer) => {
    const witness = new Witness()
    const port = await startHostileServer(servers, phases[phase](answer))
    await meet(port, witness, parts)
    expect(problemsOf(witness).length, problemsOf(witness).join()).toBeLessThan(2)
  })
})

const done = Buffer.concat([message('C', Buffer.from('VACUUM\0')), message('Z', Buffer.from('I'))])

describe('the tap relays unreadable messages unchanged, with one problem', () => {
  it('if the watch fails at an answer', async () => {
    const witness = new Witness()
    witness.onReady = () => {
      throw new Error('the watch is broken')
    }
    const answered = [Buffer.concat([message('K', Buffer.alloc(8)), loggedIn]), done]
    const port = await startHostileServer(servers, answered)
    const answers = await meet(port, witness, [startup, simple('VACUUM')])
    expect(problemsOf(witness)).toEqual(['a message could not be read: the watch is broken'])
    expect(answers).toBe(Buffer.concat(answered).toString('latin1'))
  })

  it.each([0, 1, 3])('if a message of the server claims to have %i bytes', async length => {
    const witness = new Witness()
    const unreadable = message('C', [], length)
    const port = await startHostileServer(servers, [loggedIn, unreadable])
    const answers = await meet(port, witness, [startup, simple('VACUUM')])
    expect(problemsOf(witness)).toEqual([expect.stringContaining(`a message claims to be ${length} bytes`)])
    expect(answers).toBe(Buffer.concat([loggedIn, unreadable]).toString('latin1'))
  })

  it('if a readable message precedes an unreadable one at once', async () => {
    const witness = new Witness()
    const answered = [
      Buffer.concat([message('K', Buffer.alloc(8)), loggedIn]),
      Buffer.concat([done, message('C', [], 3)]),
    ]
    const port = await startHostileServer(servers, answered)
    expect(await meet(port, witness, [startup, simple('VACUUM')])).toBe(
      Buffer.concat(answered).toString('latin1'),
    )
    expect(problemsOf(witness)).toHaveLength(1)
  })

  it.each([0, 1, 3])('if a message of the client claims to have %i bytes', async length => {
    const witness = new Witness()
    const received: Buffer[] = []
    const server = createServer(socket => {
      socket.once('data', () => {
        socket.write(loggedIn)
        socket.on('data', bytes => {
          received.push(bytes)
          socket.end()
        })
      })
    })
    const unreadable = message('Q', [], length)
    await meet(await servers.listen(server), witness, [startup, unreadable])
    expect(problemsOf(witness)).toEqual([expect.stringContaining(`a message claims to be ${length} bytes`)])
    expect(Buffer.concat(received)).toEqual(unreadable)
  })
})

it('closes the tap although a server leaves a pipeline unanswered', async () => {
  const witness = new Witness()
  const server = createServer(socket => {
    socket.once('data', () => {
      socket.write(Buffer.concat([message('K', Buffer.alloc(8)), loggedIn]))
      socket.once('data', () => socket.destroy())
    })
  })
  const pipeline = Buffer.concat([simple('alter table a add b int'), simple('select 1')])
  await meet(await servers.listen(server), witness, [startup, pipeline])
  expect(problemsOf(witness)).toEqual(['a connection ended before its statement was answered'])
})

it('relays a connection with an old protocol, and reports that it is not read', async () => {
  const witness = new Witness()
  const server = createServer(socket => socket.once('data', () => socket.end('answer')))
  const old = message('\0', Buffer.from('\0\x02\0\0user\0u\0\0')).subarray(1)
  expect(await meet(await servers.listen(server), witness, [old])).toBe('answer')
  expect(problemsOf(witness)).toEqual(['a connection with an old protocol is not read'])
})

it('closes the tap at once while a server is unreachable', async () => {
  const sockets: Socket[] = []
  const silent = createServer(socket => void sockets.push(socket))
  const target = targetAt(await servers.listen(silent), 'require')
  const tap = await openTap(target, new Witness(), createRealSeam())
  connect(tap.port, '127.0.0.1')
    .on('error', () => {})
    .write(startup)
  await expect.poll(() => sockets.length).toBe(1)
  await tap.close()
  // The connection attempt, which lasts 30 seconds, is not over yet.
  expect(sockets[0]?.destroyed).toBe(false)
})

it.each([
  ['resets the connection', (socket: Socket) => socket.resetAndDestroy()],
  ['sends no TLS', (socket: Socket) => socket.end('nonsense')],
])('a server that takes TLS and %s is not reached', async (_, act) => {
  const witness = new Witness()
  const server = createServer(socket =>
    socket.once('data', () => {
      socket.write('S')
      socket.once('data', () => act(socket))
    }),
  )
  const answers = await meet(await servers.listen(server), witness, [startup], 'require')
  expect(problemsOf(witness)).toEqual([expect.stringMatching(/^the database cannot be reached: /)])
  expect(answers).toContain('C08006\0')
})

it.each([
  ['noise', Buffer.from('\x01\x02\x03\x04\x05\x06\x07\x08\x09')],
  ['a page', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
  ['TLS without a question', Buffer.from([0x16, 3, 1, 0, 0])],
  ['a part of a beginning', startup.subarray(0, 10)],
  ['a length of 0', Buffer.alloc(8)],
])('a client that begins with %s is disconnected', async (_, beginning) => {
  const witness = new Witness()
  const server = createServer(socket => socket.end())
  const tap = await openTap(targetAt(await servers.listen(server)), witness, createRealSeam())
  const client = connect(tap.port, '127.0.0.1').on('error', () => {})
  client.resume().end(beginning)
  await once(client, 'close')
  await tap.close()
  expect(problemsOf(witness)).toEqual([])
})
