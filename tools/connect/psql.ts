/** Starts psql on a database. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { ActionError } from '#base/errors'
import { type Connection, renderDatabaseUrl } from '#postgres/connection'

/** Variables that no program started from psql needs. */
const secrets = ['DATABASE_PASSWORD_SECRET', 'DATABASE_SECRET_KEY', 'DATABASE_PUBLIC_KEY', 'GITHUB_TOKEN']

/** Arguments and environment of psql: the password is in the environment only, which other users cannot read. */
export function planPsql(
  { password = '', ...address }: Connection,
  more: string[],
  environment: NodeJS.ProcessEnv,
): { args: string[]; env: NodeJS.ProcessEnv } {
  const others = Object.entries(environment).filter(([name]) => !secrets.includes(name))
  return {
    args: [...more, renderDatabaseUrl(address)],
    env: { ...Object.fromEntries(others), PGPASSWORD: password },
  }
}

/** The exit code of psql without a connection (its documentation, "Exit Status"). */
export const noConnection = 2

/** Runs psql with the terminal of this process. Resolves with its exit code. */
export async function runPsql({ args, env }: ReturnType<typeof planPsql>): Promise<number> {
  // An interrupt is for psql, which cancels its query and continues.
  const ignore = () => {}
  process.on('SIGINT', ignore)
  try {
    const psql = spawn('psql', args, { env, stdio: 'inherit' })
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
