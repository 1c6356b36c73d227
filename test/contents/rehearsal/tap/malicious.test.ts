/** Tests the tap with malformed and hostile messages of servers and clients. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { createRealSeam } from '#client/network/real-seam'
import { openTap } from '#contents/rehearsal/tap/open-tap'
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
 * Sends each part after the answer to the one before, through a tap to the server at a port. Resolves to all answers and to the
 * problems that the tap reported, after both are closed.
 */
async function meet(port: number, parts: Buffer[], { sslmode = 'disable', witness = new Witness() } = {}) {
  const tap = await openTap(targetAt(port, sslmode), witness, createRealSeam())
  let answers = ''
  try {
    const client = connect(tap.port, '127.0.0.1').on('error', () => {})
    const left = [...parts]
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
  } finally {
    await tap.close()
  }
  return { answers, problems: problemsOf(witness) }
}

const problemsOf = ({ lines }: Witness) =>
  lines.flatMap(line => (line.startsWith('problem: ') ? [line.slice('problem: '.length)] : []))

describe.each(allPhases)('a server that answers %s with', phase => {
  const parts = phase === 'after a password' ? [startup, password] : [startup, simple('SELECT 1')]

  it.each(hostileAnswers)('%s ends the connection with at most one problem', async (_, answer) => {
    const { problems } = await meet(await startHostileServer(servers, phases[phase](answer)), parts)
    expect(problems.length, problems.join()).toBeLessThan(2)
  })
})

/** The answer to a login, with a key for cancelling. */
const withKey = Buffer.concat([message('K', Buffer.alloc(8)), loggedIn])
const done = Buffer.concat([message('C', Buffer.from('VACUUM\0')), message('Z', Buffer.from('I'))])

describe('the tap relays unreadable messages unchanged, with one problem', () => {
  it('if the watch fails at an answer', async () => {
    const witness = new Witness()
    witness.onReady = () => {
      throw new Error('the watch is broken')
    }
    const answered = [withKey, done]
    const port = await startHostileServer(servers, answered)
    const { answers, problems } = await meet(port, [startup, simple('VACUUM')], { witness })
    expect(problems).toEqual(['a message could not be read: the watch is broken'])
    expect(answers).toBe(Buffer.concat(answered).toString('latin1'))
  })

  it.each([0, 1, 3])('if a message of the server claims to have %i bytes', async length => {
    const unreadable = message('C', [], length)
    const port = await startHostileServer(servers, [loggedIn, unreadable])
    const { answers, problems } = await meet(port, [startup, simple('VACUUM')])
    expect(problems).toEqual([expect.stringContaining(`a message claims to be ${length} bytes`)])
    expect(answers).toBe(Buffer.concat([loggedIn, unreadable]).toString('latin1'))
  })

  it('if a readable message precedes an unreadable one at once', async () => {
    const answered = [withKey, Buffer.concat([done, message('C', [], 3)])]
    const port = await startHostileServer(servers, answered)
    const { answers, problems } = await meet(port, [startup, simple('VACUUM')])
    expect(answers).toBe(Buffer.concat(answered).toString('latin1'))
    expect(problems).toHaveLength(1)
  })

  it.each([0, 1, 3])('if a message of the client claims to have %i bytes', async length => {
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
    const { problems } = await meet(await servers.listen(server), [startup, unreadable])
    expect(problems).toEqual([expect.stringContaining(`a message claims to be ${length} bytes`)])
    expect(Buffer.concat(received)).toEqual(unreadable)
  })
})

it('closes the tap although a server leaves a pipeline unanswered', async () => {
  const server = createServer(socket => {
    socket.once('data', () => {
      socket.write(withKey)
      socket.once('data', () => socket.destroy())
    })
  })
  const pipeline = Buffer.concat([simple('alter table a add b int'), simple('select 1')])
  const { problems } = await meet(await servers.listen(server), [startup, pipeline])
  expect(problems).toEqual(['a connection ended before its statement was answered'])
})

it('relays a connection with an old protocol, and reports that it is not read', async () => {
  const server = createServer(socket => socket.once('data', () => socket.end('answer')))
  const old = message('\0', Buffer.from('\0\x02\0\0user\0u\0\0')).subarray(1)
  const { answers, problems } = await meet(await servers.listen(server), [old])
  expect(answers).toBe('answer')
  expect(problems).toEqual(['a connection with an old protocol is not read'])
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
  const server = createServer(socket =>
    socket.once('data', () => {
      socket.write('S')
      socket.once('data', () => act(socket))
    }),
  )
  const { answers, problems } = await meet(await servers.listen(server), [startup], { sslmode: 'require' })
  expect(problems).toEqual([expect.stringMatching(/^the database cannot be reached: /)])
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
