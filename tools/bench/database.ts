/** Opens a database for benchmarks and histories, and runs psql. */
import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LoginConnection, variablesOf } from '#postgres/connection'
import { startEmulator } from '../../emulator/library.ts'

export type Server = LoginConnection

/** Uses a new database of the emulator, and a temporary folder, and deletes both. */
export async function withDatabase<Result>(
  name: string,
  use: (server: Server, folder: string) => Promise<Result>,
): Promise<Result> {
  const temp = mkdtempSync(join(tmpdir(), `${name}-`))
  // For the account of PostgreSQL, where this process is root.
  chmodSync(temp, 0o755)
  try {
    await using emulator = await startEmulator({ temp, readyAfter: 0, snapshotAfter: 86_400_000 })
    const { host, port, user, password, database } = await emulator.createService({ name })
    return await use({ host, port, user, password, database, sslmode: 'require' }, temp)
  } finally {
    rmSync(temp, { recursive: true, force: true })
  }
}

/** Runs psql. The error of a refused statement has the SQLSTATE in its message. */
export function psql(server: Server, args: string[], input = ''): Promise<string> {
  const { PATH } = process.env
  const env = { PATH, ...variablesOf(server), PGOPTIONS: '-c client_min_messages=error' }
  const all = ['-XqAt', '-v', 'ON_ERROR_STOP=1', '-v', 'VERBOSITY=verbose', ...args]
  return new Promise((resolve, reject) => {
    const child = execFile('psql', all, { env, maxBuffer: 2 ** 30 }, (error, output, problem) =>
      error ? reject(new Error(problem.trim() || error.message)) : resolve(output),
    )
    child.stdin?.on('error', () => {}).end(input)
  })
}
