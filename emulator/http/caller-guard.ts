/** Rejects requests that browsers send for web pages of other origins. */
import type { IncomingHttpHeaders } from 'node:http'
import { Refusal } from '../store/refusal.ts'

/** The names for reaching the emulator from callers and web pages, besides the machine's own. */
export interface CallerNames {
  /** Its own address, in the form of URLs. */
  own: string
  /** Names from the user. Pages may come from there. */
  allowed: readonly string[]
}

/** The machine's names for itself. */
const ownNames = ['127.0.0.1', 'localhost', '[::1]']

/** The name and host of a `Host`, an `Origin` or an address; undefined if the text is none of them. */
function parseHost(text: string | undefined): { name: string; host: string } | undefined {
  const [, name] = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(text ?? '') ?? []
  return name === undefined ? undefined : { name: name.toLowerCase(), host: (text ?? '').toLowerCase() }
}

const shown = (text: string | undefined) => (text === undefined ? 'none' : `"${text.slice(0, 100)}"`)

/**
 * Rejects requests that a browser of this machine sends for a web page of another origin. DNS rebinding shows in `Host`: the
 * page's own name resolves to this machine. A request across origins shows in `Origin`, which only browsers send.
 */
export function checkCaller(headers: IncomingHttpHeaders, { own, allowed }: CallerNames): void {
  const asked = parseHost(headers.host)
  if (asked === undefined || ![...ownNames, own.toLowerCase(), ...allowed].includes(asked.name)) {
    throw new Refusal(
      403,
      'FORBIDDEN',
      `the request is for a host of another name (${shown(headers.host)}): use 127.0.0.1 or localhost, or start the emulator with --allow-host and this name`,
    )
  }
  const { origin } = headers
  if (origin === undefined) return
  const page = parseHost(/^https?:\/\/(.*)$/i.exec(origin)?.[1])
  const isOwn = page?.host === asked.host || (page !== undefined && allowed.includes(page.name))
  if (isOwn) return
  throw new Refusal(
    403,
    'FORBIDDEN',
    `the request comes from a web page of another origin (${shown(origin)}): if it may, start the emulator with --allow-host and the name of the page's host`,
  )
}
