/** Tests the address of the tap, and its TLS request to a server. */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { openTap } from '#contents/rehearsal/tap/open-tap'
import { reach } from '#contents/rehearsal/tap/reach'
import { LocalServers } from '../../../support/local-servers.ts'
import { Witness } from './support/tap-database.ts'

const servers = new LocalServers()
afterEach(() => servers.close())

/** A server that answers the TLS request with these bytes. */
async function answering(answer: string, sslmode: string) {
  const server = createServer(socket => socket.once('data', () => socket.write(answer)))
  const port = await servers.listen(server)
  return { host: '127.0.0.1', port, user: 'a', password: 'b', database: 'c', sslmode }
}

test('refuses bytes that follow the answer to the request for TLS', async () => {
  await expect(reach(await answering('Sx', 'require'))).rejects.toThrow(
    'does not speak the protocol of PostgreSQL',
  )
})

test('refuses a server without TLS if sslmode requires TLS', async () => {
  await expect(reach(await answering('N', 'require'))).rejects.toThrow('the server does not offer TLS')
})

test('listens on one address of the loopback only', async () => {
  const target = await answering('', 'disable')
  const tap = await openTap(target, new Witness(), { now: () => 0 })
  onTestFinished(() => tap.close())
  const elsewhere = connect(tap.port, '127.0.0.2')
  onTestFinished(() => void elsewhere.destroy())
  await expect(once(elsewhere, 'connect')).rejects.toThrow()
})
