import type { CommandLine } from './command-line.ts'
import type { RequestRecord } from './http/exchange.ts'
import type { Emulator } from './http/server.ts'

/** What the emulator prints once it listens: all that is needed to call it. */
export function renderGreeting({ baseUrl, store }: Emulator, commandLine: CommandLine): string {
  const { publicKey, databases, isSecretGenerated } = commandLine
  const secretKey = isSecretGenerated ? commandLine.secretKey : '<the secret key you gave>'
  return `The emulator is ready${databases ? '' : ', without databases'}. Ctrl-C stops it.

  base_url    ${baseUrl}
  public_key  ${publicKey}
  secret_key  ${secretKey}
  project_id  ${store.project.id}

Try it:

  curl --user '${publicKey}:${secretKey}' ${baseUrl}/projects/${store.project.id}/services \\
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

/** One line for a request that was answered. */
export function renderRequest({ method, path, operation, status }: RequestRecord): string {
  // The path comes from the client: control characters in it must not reach the terminal.
  const shown = path.replaceAll(/[^!-~]/g, '?')
  return `${status ?? '---'} ${method} ${shown}${operation ? ` ${operation}` : ''}\n`
}
