/** Creates and masks databases for tests. */
import type { Watch } from '#contents/masking/mask/progress'
import { maskByFile } from '#contents/masking/masking'
import { type MaskFile, parseMaskFile } from '#contents/masking/plan/mask-file'
import type { MaskingReport } from '#contents/masking/report'
import type { OpenSession } from '#postgres/session'
import { withSession } from '#postgres/session'
import { connectionOf, type Login, type Outputs, run } from '../../../support/fork.ts'

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

const fileOf = (text: string) => ({ name: 'masking.yml', path: 'masking.yml', text })

export const parse = (text: string): MaskFile => parseMaskFile(fileOf(text))

export const mask = (outputs: Outputs, text: string, watch: Watch = {}): Promise<MaskingReport> =>
  maskByFile(opener(outputs), { file: fileOf(text), sessions: 2, ...watch })

let databases = 0

export async function makeDatabase(service: Outputs, sql: string): Promise<Outputs> {
  const database = `masked_${++databases}`
  await run(service, `CREATE DATABASE ${database} STRATEGY file_copy`)
  const outputs = { ...service, database }
  await run(outputs, sql)
  return outputs
}
