/** Runs psql. */
import { execFile } from 'node:child_process'
import type { Server } from './database.ts'

/** Runs psql. The error of a refused statement has the SQLSTATE in its message. */
export function psql(server: Server, args: string[], input = ''): Promise<string> {
  const env = {
    ...{ PATH: process.env.PATH, PGHOST: server.host, PGPORT: String(server.port), PGUSER: server.user },
    ...{ PGPASSWORD: server.password, PGDATABASE: server.database, PGSSLMODE: server.sslmode },
    PGOPTIONS: '-c client_min_messages=error',
  }
  const all = ['-XqAt', '-v', 'ON_ERROR_STOP=1', '-v', 'VERBOSITY=verbose', ...args]
  return new Promise((resolve, reject) => {
    const child = execFile('psql', all, { env, maxBuffer: 2 ** 30 }, (error, output, problem) =>
      error ? reject(new Error(problem.trim() || error.message)) : resolve(output),
    )
    child.stdin?.on('error', () => {}).end(input)
  })
}

/** SQLSTATEs of statements that a transaction forbids, and of new values of an enum that it cannot use yet. */
const needsNoTransaction = /\b(?:25001|55P04)\b/

export const isForTransaction = (problem: string) => !needsNoTransaction.test(problem)
