/** Reads and runs the files of `seed_file`. */
import { hash } from 'node:crypto'
import { ownSettings } from '#postgres/own-settings'
import type { Session } from '#postgres/session'
import { RefusedStatementError } from './failures.ts'
import { readSqlFiles } from './read-files.ts'
import { runScripts, setTimeouts } from './run-scripts.ts'
import { type ParseLimits, parseScripts } from './scripts.ts'
import type { SqlFile } from './sql-error.ts'

/** SQL that fills a new preview, with the hash of its text. */
export interface SeedFile extends SqlFile {
  hash: string
}

/** Applies the defaults of the database, which decide the search path and the owner of new objects. */
const resetSession = 'reset search_path; reset role'

/** Reads the files of `seed_file` before anything is created. @throws ActionError or SqlError for a wrong file */
export async function readSeeds(
  workspace: string,
  patterns: string[],
  limits: ParseLimits,
): Promise<SeedFile[]> {
  const files = readSqlFiles(workspace, patterns, 'seed_file')
  await parseScripts(files, { transaction: true, limits })
  return files.map(file => ({ ...file, hash: hash('sha256', file.text) }))
}

/** Runs a file in one transaction that ends with `beforeCommit`. @throws SqlError, after which nothing is in effect */
export async function runSeed(
  session: Session,
  file: SqlFile,
  inEffect: string[],
  beforeCommit: () => Promise<void>,
): Promise<void> {
  await session.query(resetSession)
  await setTimeouts(session, {})
  const finish = async () => {
    // The file may have created functions that hide those of PostgreSQL.
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
