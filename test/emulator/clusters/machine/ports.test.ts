/** Tests the reservation of ports. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { Ports } from '../../../../emulator/clusters/machine/ports.ts'
import { NoPortError } from '../../../../emulator/data-plane.ts'

/** A free port, found by listening on it for a moment. */
async function findFree(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

test('a range is used up to its last port, and released ports are used again', async () => {
  const free = await findFree()
  const ports = new Ports('127.0.0.1', [free, free])
  expect(await ports.take()).toBe(free)
  await expect(ports.take()).rejects.toThrow(NoPortError)
  await expect(ports.take()).rejects.toThrow(`no port from ${free} to ${free} is free: delete services`)
  ports.release(free)
  expect(await ports.take()).toBe(free)
  ports.releaseAll()
})

test('two emulators of one process never promise the same port', async () => {
  const free = await findFree()
  const [one, other] = [new Ports('127.0.0.1', [free, free]), new Ports('127.0.0.1', [free, free])]
  await one.take()
  await expect(other.take()).rejects.toThrow(NoPortError)
  // It is not the other's to give back.
  other.release(free)
  await expect(other.take()).rejects.toThrow(NoPortError)
  one.releaseAll()
  expect(await other.take()).toBe(free)
  other.releaseAll()
})

test('a port with a listener is skipped', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  await expect(new Ports('127.0.0.1', [port, port]).take()).rejects.toThrow(NoPortError)
  server.close()
})
