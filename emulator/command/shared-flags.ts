/** Flags that all commands for a running emulator share. */
import { renderFlagProblem } from '#base/suggest'

/** The flags that select the running emulator. */
export const sharedFlags = {
  port: { type: 'string', default: '8787' },
  host: { type: 'string', default: '127.0.0.1' },
  keys: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

/** Parses flags. Throws an `Error` whose message has one line, with `help` at its end. */
export function readFlags<Flags>(parse: () => Flags, names: readonly string[], help: string): Flags {
  try {
    return parse()
  } catch (error) {
    throw new Error(`${renderFlagProblem(error, names)}; ${help}`)
  }
}

/** The address of the emulator. */
export function readAddress({ port, host }: { port: string; host: string }): string {
  if (!/^\d{1,5}$/.test(port)) throw new Error(`--port: expected a number, not "${port}"`)
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Parses `--keys`, which is required here. Errors do not repeat the keys: they may be real ones, used by mistake. */
export function readKeys(given: string | undefined): { publicKey: string; secretKey: string } {
  const [, publicKey = '', secretKey = ''] = /^([^:]+):(.+)$/.exec(given ?? '') ?? []
  if (publicKey === '') throw new Error('--keys: expected PUBLIC:SECRET, as the emulator printed them')
  return { publicKey, secretKey }
}
