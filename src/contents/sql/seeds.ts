/** Reads and runs the files of `seed_file`. */
import { createHash } from 'node:crypto'
import { ownSettings } from '#postgres/own-settings'
import type { Session } from '#postgres/session'
import { RefusedStatementError } from './failures.ts'
import { prepareSession } from './prepare-session.ts'
import { readSqlFiles } from './read-files.ts'
import { runScripts } from './run-scripts.ts'
import { parseScripts, pauseUntil } from './scripts.ts'
import type { SeedFile } from './seed-file.ts'
import type { SqlFile } from './sql-error.ts'

export { pauseUntil }

/** Where objects are looked for, and whose they become, is for the database to say. */
const asUser = 'reset search_path; reset role'

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

/**
 * Reads the files of `seed_file`, before anything is made.
 *
 * @throws SqlFileError where a pattern fits none; SqlError for what no step can run
 */
export async function readSeeds(
  workspace: string,
  patterns: string[],
  pause?: () => Promise<void>,
): Promise<SeedFile[]> {
  const files = readSqlFiles(workspace, patterns, 'seed_file')
  await parseScripts(files, { transaction: true, ...(pause && { pause }) })
  return files.map(file => ({ ...file, hash: hashOf(file.text) }))
}

/**
 * Runs a file as one transaction, `beforeCommit` at its end. `inEffect` names the files that were run before.
 *
 * @throws SqlError where a statement is refused: then nothing of the file is in effect
 */
export async function runSeed(
  session: Session,
  file: SqlFile,
  inEffect: string[],
  beforeCommit: () => Promise<void>,
): Promise<void> {
  await session.query(asUser)
  await prepareSession(session, {})
  const finish = async () => {
    // The file may have put functions of its own before those of PostgreSQL.
    await session.query('set local search_path = pg_catalog, pg_temp; set local role none')
    await beforeCommit()
  }
  try {
    const scripts = await parseScripts([file], { transaction: true })
    await runScripts(session, scripts, { transaction: true, inEffect, beforeCommit: finish })
    await session.query(ownSettings)
  } catch (error) {
    if (error instanceof RefusedStatementError) await session.attempt('rollback')
    throw error
  }
}
