/** Tests the check of a connection. */
import dns from 'node:dns'
import { createServer, type Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates, TLSSocket } from 'node:tls'
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest'
import { connect, probe } from '#postgres/connect'
import { PasswordRefusedError } from '#postgres/login-refused'
import { withSession } from '#postgres/session'
import { type Certificate, createCertificate } from '../../emulator/clusters/installation/certificate.ts'
import { LocalServers } from '../support/local-servers.ts'

const servers = new LocalServers()
afterEach(async () => {
  vi.restoreAllMocks()
  vi.useRealTimers()
  vi.unstubAllEnvs()
  await servers.close()
})

/** An answer of the protocol: its type, its length, its body (PostgreSQL documentation, section 54.7). */
function message(type: string, ...body: number[]): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(4 + body.length)
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body)])
}

const loggedIn = Buffer.concat([message('R', 0, 0, 0, 0), message('Z', 'I'.charCodeAt(0))])

/** A server that reads each message in turn and is silent after the last. */
async function startServer(...answers: Buffer[]) {
  const silent = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<void>()
  const server = createServer({ allowHalfOpen: true }, (socket: Socket) => {
    const left = [...answers]
    socket.on('data', () => {
      const answer = left.shift()
      if (answer) socket.write(answer)
      else silent.resolve()
    })
    socket.on('end', () => closed.resolve())
  })
  const port = await servers.listen(server)
  return { port, silent: silent.promise, closed: closed.promise }
}

const at = (port: number, sslmode: string, host = '127.0.0.1') => ({
  host,
  port,
  user: 'tsdbadmin',
  database: 'tsdb',
  password: 'secret-password',
  sslmode,
})

const never = new AbortController().signal

type Found = (error: null, ...found: unknown[]) => void

/** A server with this certificate that requires TLS and answers the login; returns the number of its connections. */
async function startTlsServer({ key, certificate }: Certificate, answer: Buffer) {
  let connections = 0
  const server = createServer(socket => {
    connections += 1
    socket.once('data', () => {
      socket.write('S')
      const secure = new TLSSocket(socket, { isServer: true, key, cert: certificate })
      // A client that does not trust it goes away.
      secure.on('error', () => {})
      secure.once('data', () => secure.end(answer))
    })
  })
  return { port: await servers.listen(server), connections: () => connections }
}

/** The client's first message asks for TLS (PostgreSQL documentation, section 54.7). */
const tlsRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])
const passwordRefused = message('E', ...Buffer.from('SFATAL\0C28P01\0Mwrong password\0\0'))

const mute: [string, string, Buffer[]][] = [
  ['says nothing', 'disable', []],
  ['says nothing, asked for TLS', 'require', []],
  ['agrees to TLS, and says nothing more', 'require', [Buffer.from('S')]],
  ['agrees to TLS where it may do without, and says nothing more', 'prefer', [Buffer.from('S')]],
]

test('no options are sent, even if the job sets some, since poolers refuse them', async () => {
  vi.stubEnv('PGOPTIONS', '-c statement_timeout=1s')
  let sent = ''
  const server = createServer(socket => {
    socket.once('data', data => {
      sent = data.toString('latin1')
      socket.end(loggedIn)
    })
  })
  await probe(at(await servers.listen(server), 'disable'), 10_000, never)
  expect(sent).toContain('application_name\0managed-database-action')
  expect(sent).not.toContain('options')
  expect(process.env.PGOPTIONS).toBe('-c statement_timeout=1s')
})

describe('a server without TLS', () => {
  /** It refuses TLS and accepts every login. */
  async function startPlainServer() {
    let sent = ''
    const server = createServer(socket => {
      socket.on('data', data => {
        sent += data.toString('latin1')
        if (data.equals(tlsRequest)) socket.write('N')
        else socket.end(loggedIn)
      })
    })
    return { port: await servers.listen(server), sent: () => sent }
  }

  test.each(['disable', 'allow', 'prefer'])('is accepted: %s', async sslmode => {
    const { port } = await startPlainServer()
    await expect(probe(at(port, sslmode), 10_000, never)).resolves.toBe(undefined)
  })

  test.each(['require', 'verify-ca', 'verify-full'])('gets no login: %s', async sslmode => {
    const { port, sent } = await startPlainServer()
    await expect(probe(at(port, sslmode), 10_000, never)).rejects.toThrow('does not support SSL')
    expect(sent()).toBe(tlsRequest.toString('latin1'))
  })
})

test.each(['require', 'prefer', 'allow'])(
  'a refused password is not sent again without TLS: %s',
  async sslmode => {
    const { port, connections } = await startTlsServer(createCertificate(), passwordRefused)
    await expect(probe(at(port, sslmode), 10_000, never)).rejects.toThrow(PasswordRefusedError)
    expect(connections()).toBe(1)
  },
)

describe('a certificate of an authority that is trusted', () => {
  const certificate = createCertificate()
  const usual = getCACertificates('default')
  beforeEach(() => {
    setDefaultCACertificates([...usual, certificate.certificate])
    vi.spyOn(dns, 'lookup').mockImplementation(((_: string, options: object, found: Found) =>
      'all' in options && options.all
        ? found(null, [{ address: '127.0.0.1', family: 4 }])
        : found(null, '127.0.0.1', 4)) as never)
  })
  afterEach(() => setDefaultCACertificates(usual))

  test.each([
    ['is enough', 'verify-ca', 'db.example'],
    ['is enough where it is of the host', 'verify-full', 'localhost'],
  ])('%s: %s %s', async (_, sslmode, host) => {
    const { port } = await startTlsServer(certificate, loggedIn)
    await expect(probe(at(port, sslmode, host), 10_000, never)).resolves.toBe(undefined)
  })

  it('is refused for another host: verify-full', async () => {
    const { port } = await startTlsServer(certificate, loggedIn)
    await expect(probe(at(port, 'verify-full', 'db.example'), 10_000, never)).rejects.toThrow(
      `the certificate of db.example:${port} is for localhost, 127.0.0.1, not db.example`,
    )
  })
})

test.each(['verify-ca', 'verify-full'])('an untrusted certificate is refused: %s', async sslmode => {
  const { port } = await startTlsServer(createCertificate(), loggedIn)
  await expect(probe(at(port, sslmode, 'localhost'), 10_000, never)).rejects.toThrow(
    'self-signed certificate',
  )
})

describe('a server that', () => {
  test.each(mute)('%s is abandoned in time', async (_, sslmode, answers) => {
    const { port, closed } = await startServer(...answers)
    await expect(probe(at(port, sslmode), 50, never)).rejects.toThrow(
      /^no (connection|answer) within 0.05 s$/,
    )
    await closed
  })

  test.each<(typeof mute)[number]>([
    ...mute,
    ['accepts the login, and says nothing more', 'disable', [loggedIn]],
  ])('%s is abandoned at the limit of the login', async (_, sslmode, answers) => {
    const { port, closed } = await startServer(...answers)
    const limits = { timeout: 60_000, loginTimeout: 50, signal: never }
    const opening = withSession(at(port, sslmode), limits, async () => {})
    await expect(opening).rejects.toThrow('no answer within 0.05 s')
    await closed
  })

  test.each(mute)('%s is abandoned at the signal', async (_, sslmode, answers) => {
    const { port, silent, closed } = await startServer(...answers)
    const controller = new AbortController()
    const reason = new Error('cancelled')
    const probing = probe(at(port, sslmode), 60_000, controller.signal)
    await silent
    controller.abort(reason)
    await expect(probing).rejects.toBe(reason)
    await closed
  })

  it('leaves the connection open after the last message has succeeded nevertheless', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { port, silent } = await startServer(loggedIn)
    const probing = probe(at(port, 'disable'), 60_000, never)
    await silent
    vi.advanceTimersByTime(1000)
    await expect(probing).resolves.toBe(undefined)
  })
})

describe('a message that is announced with 1 GB, and arrives', () => {
  /** Its type and length; 'D' is a row. */
  const announced = Buffer.from([...Buffer.from('D'), 0x40, 0, 0, 0])
  const mebibyte = 1024 * 1024

  /** Sends the message endlessly to any client that sent data; returns the number of bytes sent. */
  function flood(socket: Socket, first: Buffer) {
    let sent = 0
    const pour = () => {
      for (let flows = true; flows && !socket.destroyed; sent += mebibyte)
        flows = socket.write(Buffer.alloc(mebibyte))
    }
    socket.on('error', () => {})
    socket.on('drain', pour)
    socket.once('data', () => {
      socket.write(first)
      pour()
    })
    return () => sent
  }

  const places: [string, Buffer][] = [
    ['in place of a login', announced],
    ['after the login', Buffer.concat([loggedIn, announced])],
  ]

  let sent: () => number
  beforeEach(() => {
    sent = () => 0
  })

  async function expectCut(sslmode: string, pour: (socket: Socket) => void) {
    const limits = { timeout: 60_000, signal: never }
    const connection = at(await servers.listen(createServer(pour)), sslmode)
    const asking = connect(connection, limits, async client => void (await client.query('select 1')))
    await expect(asking).rejects.toThrow('the server sent more than 1048576 bytes')
    expect(sent()).toBeLessThan(32 * mebibyte)
  }

  test.each(places)('is cut off %s', async (_, first) => {
    await expectCut('disable', socket => {
      sent = flood(socket, first)
    })
  })

  test.each(places)('is cut off %s, over TLS', async (_, first) => {
    const { key, certificate: cert } = createCertificate()
    await expectCut('require', socket => {
      socket.on('error', () => {})
      socket.once('data', () => {
        socket.write('S')
        sent = flood(new TLSSocket(socket, { isServer: true, key, cert }), first)
      })
    })
  })
})

describe('a name without an answer from DNS', () => {
  it('is abandoned in time', async () => {
    vi.spyOn(dns, 'lookup').mockImplementation(() => ({}) as never)
    await expect(probe(at(5432, 'require', 'db.example'), 50, never)).rejects.toThrow(
      'no connection within 0.05 s',
    )
  })

  it('is abandoned at the signal', async () => {
    const asked = Promise.withResolvers<void>()
    vi.spyOn(dns, 'lookup').mockImplementation(() => asked.resolve() as never)
    const controller = new AbortController()
    const reason = new Error('cancelled')
    const probing = probe(at(5432, 'require', 'db.example'), 60_000, controller.signal)
    await asked.promise
    controller.abort(reason)
    await expect(probing).rejects.toBe(reason)
  })
})

test('nothing is sent after the signal', async () => {
  const { port } = await startServer()
  const reason = new Error('cancelled')
  await expect(probe(at(port, 'require'), 60_000, AbortSignal.abort(reason))).rejects.toBe(reason)
})

it.each([
  ['57P03', 'the database system is starting up'],
  ['28P01', undefined],
])('without a password, the answer %s shows whether the server is running', async (code, refused) => {
  const answer = message('E', ...Buffer.from(`SFATAL\0C${code}\0M${refused ?? 'a password is needed'}\0\0`))
  const server = createServer(socket => socket.once('data', () => socket.end(answer)))
  const connection = { ...at(await servers.listen(server), 'disable'), password: undefined }
  const probing = probe(connection, 10_000, never)
  if (refused === undefined) await expect(probing).resolves.toBe(undefined)
  else await expect(probing).rejects.toThrow(refused)
})
