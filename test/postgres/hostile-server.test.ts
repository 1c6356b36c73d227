/** Tests hostile texts of a database server. */
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { withSession } from '#postgres/session'
import { LocalServers } from '../support/local-servers.ts'
import { thoroughness } from '../support/thoroughness.ts'
import { allPhases, hostileAnswers, phases, startHostileServer } from './support/hostile-server.ts'

const servers = new LocalServers()
afterEach(() => servers.close())

/** Milliseconds. A server that closes the connection is noticed long before. */
const timeout = 60_000

/** How a session ends at this port. */
function endAt(port: number): Promise<unknown> {
  const login = { user: 'tsdbadmin', database: 'tsdb', password: 'secret', sslmode: 'disable' }
  const limits = { timeout, signal: new AbortController().signal }
  const connection = { host: '127.0.0.1', port, ...login }
  return withSession(connection, limits, session => session.query('select 1')).catch(
    (error: unknown) => error,
  )
}

/** How a session ends with a server that gives these answers. */
const endOf = async (answers: Buffer[]) => await endAt(await startHostileServer(servers, answers))

describe.each(allPhases)('an answer %s', phase => {
  it.each(hostileAnswers)('is an error of the session: %s', async (_, answer) => {
    expect(await endOf(phases[phase](answer))).toBeInstanceOf(Error)
  })

  it('may be empty', async () => {
    expect(await endOf(phases[phase](Buffer.alloc(0)))).toBeInstanceOf(Error)
  })

  it('may be any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async bytes => {
        expect(await endOf(phases[phase](Buffer.from(bytes)))).toBeInstanceOf(Error)
      }),
      { numRuns: 10 * thoroughness },
    )
  })

  it('may be any body of a known message', async () => {
    const letter = fc.constantFrom(...'123nscWDCZARSKENTtGHd')
    await fc.assert(
      fc.asyncProperty(letter, fc.uint8Array({ maxLength: 60 }), async (type, body) => {
        const head = Buffer.from([type.charCodeAt(0), 0, 0, 0, 4 + body.length])
        expect(await endOf(phases[phase](Buffer.concat([head, body])))).toBeInstanceOf(Error)
      }),
      { numRuns: 20 * thoroughness },
    )
  })
})

it.each([70_000, -1, 1e10])('the invalid port %i is an error of the session', async port => {
  expect(await endAt(port)).toBeInstanceOf(Error)
})
