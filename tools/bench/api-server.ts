import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A process that answers requests of the API. */
export interface ApiServer {
  baseUrl: string
  stop(): Promise<void>
}

/** Milliseconds until a server must answer. */
const patience = 60_000

/** The emulator as its command starts it, without databases. */
export async function startEmulatorProcess(keys: string): Promise<ApiServer> {
  const program = join(import.meta.dirname, '../../emulator/main.ts')
  const port = await findFreePort()
  const flags = ['--no-databases', '--ready-after', '0s', '--keys', keys, '--port', String(port)]
  return start([program, ...flags], `http://127.0.0.1:${port}/public/api/v1`)
}

/** Prism's mock of the description in the file. Its output is discarded. */
export async function startPrism(program: string, description: string): Promise<ApiServer> {
  const port = await findFreePort()
  const flags = ['mock', description, '--port', String(port)]
  return start([resolve(program), ...flags], `http://127.0.0.1:${port}`)
}

async function start(parameters: string[], baseUrl: string): Promise<ApiServer> {
  const child = spawn(process.execPath, parameters, { stdio: ['ignore', 'ignore', 'inherit'] })
  try {
    await untilItAnswers(child, baseUrl)
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
  return {
    baseUrl,
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function untilItAnswers(child: ChildProcess, baseUrl: string): Promise<void> {
  for (const deadline = Date.now() + patience; Date.now() < deadline; await sleep(50)) {
    if (child.exitCode !== null) break
    const answer = await fetch(baseUrl).catch(() => undefined)
    if (answer) return
  }
  throw new Error(`${child.spawnargs.join(' ')} does not answer at ${baseUrl}`)
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address === 'object' && address) return address.port
  throw new Error('no port is free')
}
