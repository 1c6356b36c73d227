/** Connects a person to a preview: finds it, derives its password, and starts psql. */
import { parseBaseUrl } from '#action/inputs/base-url'
import { ActionError, renderAdvised } from '#base/errors'
import { type Client, createClient } from '#client/client'
import { createRealSeam } from '#client/network/real-seam'
import { renderDatabaseUrl } from '#postgres/connection'
import { derivePassword, shortestSecret } from '#preview/base/password'
import { askSecret } from './ask-secret.ts'
import { helpText, parseCommandLine } from './command-line.ts'
import { explainFailure } from './explain-failure.ts'
import { findDatabase, readService } from './find-database.ts'
import { noConnection, planPsql, runPsql } from './psql.ts'
import { replaceInputNames } from './replace-input-names.ts'

/** The parts of a process that the command uses. */
export interface Host {
  env: NodeJS.ProcessEnv
  stdin: NodeJS.Process['stdin'] | { isTTY: false }
  stdout: Pick<NodeJS.WriteStream, 'write'>
  stderr: Pick<NodeJS.WriteStream, 'write'>
}

const seam = createRealSeam()

function openClient(env: NodeJS.ProcessEnv): Client {
  const { DATABASE_PUBLIC_KEY: publicKey, DATABASE_SECRET_KEY: secretKey } = env
  const base = parseBaseUrl(env.DATABASE_BASE_URL || 'https://console.cloud.tigerdata.com/public/api/v1')
  if (!('value' in base))
    throw new ActionError('DATABASE_BASE_URL is not the address of an API', base.expected)
  if (!publicKey || !secretKey)
    throw new ActionError(
      'the API must be asked for the address, and there are no keys',
      'set DATABASE_PUBLIC_KEY and DATABASE_SECRET_KEY, or copy the command with its URL from the comment of the pull request',
    )
  const { signal } = new AbortController()
  return createClient({
    ...{ seam, baseUrl: base.value, credentials: { publicKey, secretKey }, maxAttempts: 3 },
    ...{ deadline: seam.now() + 60_000, signal, creatingSignal: signal },
    redact: text => text.replaceAll(secretKey, '***'),
  })
}

/** The secret that passwords are derived from, as in the action: password_secret, or without it the secret key. */
async function readSecret({ env, stdin }: Host): Promise<string> {
  const { DATABASE_PASSWORD_SECRET: given, DATABASE_SECRET_KEY: key } = env
  let secret = given ?? ''
  if (secret === '' && (!key || stdin.isTTY)) {
    const orKey = key ? ' (empty: the secret key)' : ''
    secret = await askSecret(`password_secret${orKey}: `, stdin)
  }
  if (secret === '') secret = key ?? ''
  if (secret.length >= shortestSecret) return secret
  throw new ActionError(
    `the password secret has ${secret.length} characters, and needs ${shortestSecret}`,
    'check DATABASE_PASSWORD_SECRET',
  )
}

/** Runs the command. Returns its exit code: that of psql, or 1 after an error without psql. */
export async function connect(args: string[], host: Host): Promise<number> {
  const { env, stdout, stderr } = host
  let exitCode = 0
  try {
    const commandLine = parseCommandLine(args)
    if (commandLine.help) {
      stdout.write(helpText)
      return 0
    }
    const { wanted, print, psql } = commandLine
    const client = () => openClient(env)
    const { serviceId, connection: found } = await findDatabase(wanted, { client, seam, environment: env })
    const connection = { ...found, password: derivePassword(await readSecret(host), serviceId) }
    if (print) {
      stdout.write(`${renderDatabaseUrl(connection)}\n`)
      return 0
    }
    exitCode = await runPsql(planPsql(connection, psql, env))
    const hasKeys = env.DATABASE_PUBLIC_KEY && env.DATABASE_SECRET_KEY
    if (exitCode === noConnection)
      await explainFailure(
        { serviceId, connection },
        hasKeys ? () => readService(client(), serviceId) : undefined,
      )
    return exitCode
  } catch (error) {
    stderr.write(`connect: ${replaceInputNames(renderAdvised(error))}\n`)
    return exitCode || 1
  }
}
