/** Renders the output of the emulator. */
import type { AnsweredRequest, Emulator, EmulatorOptions } from '../library-types.ts'
import { renderVariables } from './variables.ts'

/** A description of the databases, and the certificate that a client must trust. */
function describeDatabases({ about, address, certificateFile }: Emulator): string {
  if (certificateFile === undefined) return ''
  const lines = about.map((line, index) => `  ${index === 0 ? 'databases ' : '          '}  ${line}\n`)
  return `${lines.join('')}  ca          ${address}/emulator/ca.pem, which is ${certificateFile}\n`
}

/** The output of the emulator once it listens: everything needed to call it. */
export function renderGreeting(emulator: Emulator, options: EmulatorOptions): string {
  const { baseUrl, keys, projectId } = emulator
  const { publicKey } = keys
  const isGiven = options.secretKey !== undefined
  const secretKey = isGiven ? '<the secret key you gave>' : keys.secretKey
  const beforeCurl = isGiven
    ? 'Try it, with the value of --keys in the variable KEYS:\n\n'
    : `Try it:\n\n  ${renderVariables({ KEYS: `${publicKey}:${secretKey}` })}`
  return `The emulator is ready${options.databases ? '' : ', without databases'}. Ctrl-C stops it.

  base_url    ${baseUrl}
  public_key  ${publicKey}
  secret_key  ${secretKey}
  project_id  ${projectId}
${describeDatabases(emulator)}
${beforeCurl}  curl --user "$KEYS" ${baseUrl}/projects/${projectId}/services \\
    --json '{"name": "shop"}'

In a workflow step:

  with:
    operation: create-service
    name: shop
    base_url: ${baseUrl}
    public_key: ${publicKey}
    secret_key: ${secretKey}

`
}

/** One line for an answered request. */
export function renderRequest({ method, path, operation, status }: AnsweredRequest): string {
  // The path comes from the client: control characters in it must not reach the terminal.
  const shown = path.replaceAll(/[^!-~]/g, '?')
  return `${status ?? '---'} ${method} ${shown}${operation ? ` ${operation}` : ''}\n`
}
