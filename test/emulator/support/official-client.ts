/** Runs the vendor's command line. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { Emulator } from '../../../emulator/http/server.ts'

/** The output of a command, and its exit code. */
export interface Ended {
  code: number
  stdout: string
  stderr: string
}

/** The vendor's command line, with its own home folder and the address of an emulator. */
export class OfficialClient {
  readonly #binary: string
  readonly #home: string
  readonly #environment: Record<string, string>

  private constructor(binary: string, home: string, emulator: Emulator) {
    this.#binary = binary
    this.#home = home
    this.#environment = {
      HOME: home,
      XDG_CONFIG_HOME: path.join(home, 'config'),
      PATH: process.env.PATH ?? '',
      TIGER_CONFIG_DIR: path.join(home, 'tiger'),
      TIGER_API_URL: emulator.baseUrl,
      // A file below the home folder in place of the keyring of the system.
      TIGER_PASSWORD_STORAGE: 'pgpass',
      TIGER_ANALYTICS: 'true',
      TIGER_VERSION_CHECK: 'false',
      TIGER_DOCS_MCP: 'false',
      TIGER_EXPERIMENTAL: 'true',
      TZ: 'UTC',
    }
  }

  static async open(binary: string, emulator: Emulator): Promise<OfficialClient> {
    return new OfficialClient(binary, await mkdtemp(path.join(tmpdir(), 'official-client-')), emulator)
  }

  /** Runs one command to its end. */
  async run(...args: string[]): Promise<Ended> {
    const child = this.#start(args)
    child.stdin.end()
    const output = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        output[name] += text
      })
    }
    const [code] = await once(child, 'close')
    return { code: code as number, ...output }
  }

  /** Standard output of a command that must succeed. */
  async done(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(...args)
    if (code !== 0) throw new Error(`${args.join(' ')} exited with ${code}:\n${stdout}${stderr}`)
    return stdout
  }

  /** The JSON output of a command that must succeed. */
  async json(...args: string[]): Promise<never> {
    return JSON.parse(await this.done(...args, '--output', 'json')) as never
  }

  /** Calls tools of its MCP server over standard input and output; `job` gets the caller. */
  async withTools<T>(job: (call: ToolCall) => Promise<T>): Promise<T> {
    const child = this.#start(['mcp', 'start'])
    child.stderr.resume()
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    let requests = 0
    const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    const request = async (method: string, params: object) => {
      requests += 1
      send({ id: requests, method, params })
      for (;;) {
        const { value, done } = await lines.next()
        if (done) throw new Error(`the MCP server ended without an answer to ${method}`)
        const message = JSON.parse(value as string)
        if (message.id === requests) return message
      }
    }
    try {
      const clientInfo = { name: 'test', version: '1' }
      await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
      send({ method: 'notifications/initialized' })
      return await job(async (name, given = {}) => {
        const { result, error } = await request('tools/call', { name, arguments: given })
        const failure = error?.message ?? (result.isError && result.content[0]?.text)
        if (failure) throw new Error(`${name}: ${failure}`)
        return result.structuredContent as never
      })
    } finally {
      const ended = once(child, 'close')
      child.stdin.end()
      await ended
    }
  }

  async close(): Promise<void> {
    await rm(this.#home, { recursive: true, force: true })
  }

  #start(args: string[]) {
    return spawn(this.#binary, args, { env: this.#environment, cwd: this.#home, stdio: 'pipe' })
  }
}

/** Calls a tool. Returns its structured answer. */
export type ToolCall = (name: string, given?: object) => Promise<never>
