/** Creates and masks databases for tests. */
import type { MaskingOptions } from '#contents/masking/mask/progress'
import { maskByFile } from '#contents/masking/masking'
import { type MaskFile, parseMaskFile } from '#contents/masking/plan/mask-file'
import { proposeFile } from '#contents/masking/propose/proposal'
import type { MaskingReport } from '#contents/masking/report'
import { ownSettings } from '#postgres/own-settings'
import { type OpenSession, type Session, withSession } from '#postgres/session'
import { connectionOf, type Login, type Outputs, runSql } from '../../../support/fork.ts'
import { addDatabase, dropDatabase as drop, shareServer } from '../../../support/shared-server.ts'

const never = new AbortController().signal

/** Opens sessions in a database of a bench, as its owner by default. */
export function opener(outputs: Outputs, login: Login = {}): OpenSession {
  return (use, database) =>
    withSession(
      connectionOf(outputs, database === undefined ? login : { ...login, database }),
      { timeout: 300_000, signal: never, mostBytes: 16 * 1024 * 1024 },
      async session => {
        await session.query('reset search_path')
        return await use(session)
      },
    )
}

/**
 * Runs work with reused sessions, each reset after its use. Masking opens twenty sessions, and opening one takes as long
 * as most work in it.
 */
export async function reusing<Result>(
  open: OpenSession,
  work: (open: OpenSession) => Promise<Result>,
): Promise<Result> {
  const free: { session: Session; end: () => void }[] = []
  const all: Promise<void>[] = []
  const begin = async () => {
    const { promise, resolve, reject } = Promise.withResolvers<(typeof free)[number]>()
    const session = open(session => new Promise<void>(end => resolve({ session, end })))
    all.push(session.catch(reject))
    return await promise
  }
  try {
    return await work(async (use, database) => {
      if (database !== undefined) return await open(use, database)
      const reused = free.pop() ?? (await begin())
      try {
        const result = await use(reused.session)
        await reused.session.query('discard all')
        await reused.session.query(`${ownSettings}; reset search_path`)
        free.push(reused)
        return result
      } catch (error) {
        reused.end()
        throw error
      }
    })
  } finally {
    for (const { end } of free) end()
    await Promise.all(all)
  }
}

const fileOf = (text: string) => ({ name: 'masking.yml', path: 'masking.yml', text })

export const parse = (text: string): MaskFile => parseMaskFile(fileOf(text))

export const mask = (
  outputs: Outputs,
  text: string,
  watch: Partial<MaskingOptions> = {},
): Promise<MaskingReport> =>
  reusing(opener(outputs), open => maskByFile(open, fileOf(text), { sessions: 2, ...watch }))

let databases = 0

/** Creates a database with this SQL, on the server of the worker by default. */
export async function createDatabase(sql: string, service?: Outputs): Promise<Outputs> {
  const outputs = await addDatabase(service ?? (await shareServer()), `masked_${++databases}`)
  await runSql(outputs, sql)
  return outputs
}

export const dropDatabase = async (outputs: Outputs) => await drop(await shareServer(), outputs)

/** The proposed file of rules for a database. */
export const propose = (outputs: Outputs): Promise<string> => opener(outputs)(proposeFile)
