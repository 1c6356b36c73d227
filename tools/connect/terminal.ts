/** The terminal of the person: asks for a secret, and starts psql. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { ActionError } from '#base/errors'
import { type Connection, renderDatabaseUrl } from '#postgres/connection'

/**
 * Asks for a secret, without showing it.
 * @throws ActionError without a terminal, or if the question is cancelled
 */
export async function askSecret(
  question: string,
  input: NodeJS.Process['stdin'] | { isTTY: false },
): Promise<string> {
  if (!input.isTTY)
    throw new ActionError(
      'no password secret is set, and there is no terminal to ask for it',
      'set DATABASE_PASSWORD_SECRET',
    )
  process.stderr.write(question)
  // Hides the typed characters.
  const mute = new Writable({ write: (_, __, done) => done() })
  const terminal = createInterface({ input, output: mute, terminal: true })
  try {
    return await new Promise<string>((resolve, reject) => {
      terminal.on('close', () => reject(new ActionError('cancelled', 'run the command again')))
      terminal.question('', resolve)
    })
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}

/** Variables that no program started from psql needs. */
const secrets = ['DATABASE_PASSWORD_SECRET', 'DATABASE_SECRET_KEY', 'DATABASE_PUBLIC_KEY', 'GITHUB_TOKEN']

/** The exit code of psql without a connection (its documentation, "Exit Status"). */
export const noConnection = 2

/**
 * Runs psql with the terminal of this process. Resolves with its exit code. The password is in the environment only,
 * which other users cannot read.
 */
export async function runPsql(
  { password = '', ...address }: Connection,
  more: string[],
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const others = Object.entries(environment).filter(([name]) => !secrets.includes(name))
  const env = { ...Object.fromEntries(others), PGPASSWORD: password }
  // An interrupt is for psql, which cancels its query and continues.
  const ignore = () => {}
  process.on('SIGINT', ignore)
  try {
    const psql = spawn('psql', [...more, renderDatabaseUrl(address)], { env, stdio: 'inherit' })
    const [code] = await once(psql, 'close')
    return code ?? 1
  } catch (failure) {
    const { code, message } = failure as NodeJS.ErrnoException
    throw new ActionError(
      code === 'ENOENT' ? 'psql is not on the PATH' : `psql cannot be started: ${message}`,
      'install it (package postgresql-client or libpq), or use another client with the URL of --print',
    )
  } finally {
    process.off('SIGINT', ignore)
  }
}
