/** Connects a person to a preview: finds it, derives its password, and starts psql. */
import { parseBaseUrl } from '#action/inputs/base-url'
import { ActionError, renderAdvised } from '#base/errors'
import { type Client, createClient } from '#client/client'
import { createRealSeam } from '#client/network/real-seam'
import { renderDatabaseUrl } from '#postgres/connection'
import { derivePassword, shortestSecret } from '#preview/base/password'
import { helpText, parseCommandLine } from './command-line.ts'
import { explainFailure } from './explain-failure.ts'
import { findDatabase, readService } from './find-database.ts'
import { askSecret, noConnection, runPsql } from './terminal.ts'

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

/** Inputs of the action in its errors, and this command's source of the same value. */
const replacements: [words: RegExp, own: string][] = [
  [/ \(or api_key\)/g, ''],
  [/\bbase_url\b/g, 'DATABASE_BASE_URL'],
  [/\bpublic_key\b/g, 'DATABASE_PUBLIC_KEY'],
  [/\bsecret_key\b/g, 'DATABASE_SECRET_KEY'],
  [/\b(Check|check) service_id\b/g, '$1 SERVICE_ID'],
  [/\bthe runner\b/g, 'this machine'],
  [/, or the container of the job\b/g, ''],
  [/\brun the step again\b/g, 'run the command again'],
  [/, or raise request_timeout \(or wait_timeout\)/g, ''],
]

/** Replaces inputs of the action in an error by the options of this command. */
const replaceInputNames = (message: string): string =>
  replacements.reduce((text, [words, own]) => text.replace(words, own), message)

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
    if (commandLine === undefined) {
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
    exitCode = await runPsql(connection, psql, env)
    const hasKeys = env.DATABASE_PUBLIC_KEY && env.DATABASE_SECRET_KEY
    const read = hasKeys ? () => readService(client(), serviceId) : undefined
    if (exitCode === noConnection) await explainFailure({ serviceId, connection }, read)
    return exitCode
  } catch (error) {
    stderr.write(`connect: ${replaceInputNames(renderAdvised(error))}\n`)
    return exitCode || 1
  }
}
