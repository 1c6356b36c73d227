import type { Watch } from '../../../../src/contents/masking/mask/progress.ts'
import { maskByFile } from '../../../../src/contents/masking/masking.ts'
import { type MaskFile, parseMaskFile } from '../../../../src/contents/masking/plan/mask-file.ts'
import type { MaskingReport } from '../../../../src/contents/masking/report.ts'
import type { OpenSession } from '../../../../src/contents/quarantine/quarantine.ts'
import { withSession } from '../../../../src/postgres/session.ts'
import { connectionOf, type Login, type Outputs, run } from '../../../support/fork.ts'

const never = new AbortController().signal

/** Opens sessions in a database of a bench, as its owner unless told otherwise. */
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

/** Masks a database by a file of rules. */
export const mask = (outputs: Outputs, text: string, watch: Watch = {}): Promise<MaskingReport> =>
  maskByFile(opener(outputs), { file: fileOf(text), sessions: 2, ...watch })

let databases = 0

/** A new database of a service, filled by statements. */
export async function makeDatabase(service: Outputs, sql: string): Promise<Outputs> {
  const database = `masked_${++databases}`
  await run(service, `CREATE DATABASE ${database} STRATEGY file_copy`)
  const outputs = { ...service, database }
  await run(outputs, sql)
  return outputs
}
