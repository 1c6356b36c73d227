import { createRealSeam } from '../../../../src/client/network/real-seam.ts'
import { measureSession } from '../../../../src/contents/rehearsal/measure/measured-session.ts'
import { type Rehearsed, rehearse } from '../../../../src/contents/rehearsal/rehearse.ts'
import type { Limits } from '../../../../src/contents/rehearsal/result/limits.ts'
import { runScripts } from '../../../../src/contents/sql/run-scripts.ts'
import { parseScripts } from '../../../../src/contents/sql/scripts.ts'
import { withSession } from '../../../../src/postgres/session.ts'
import { connectionOf, type Outputs } from '../../../support/fork.ts'

const limits = { timeout: 60_000, signal: new AbortController().signal, mostBytes: 64 * 1024 * 1024 }

export interface Options {
  limits?: Partial<Limits>
  transaction?: boolean
}

/** Rehearses SQL on a database of the bench, as the operation does with a file. */
export async function rehearseSql(outputs: Outputs, sql: string, options: Options = {}): Promise<Rehearsed> {
  const connection = connectionOf(outputs)
  const { transaction = true } = options
  const file = { name: 'm.sql', path: 'm.sql', text: sql }
  const seam = createRealSeam()
  return await withSession(connection, { ...limits, forJson: true }, watching =>
    rehearse(watching, seam, {
      limits: { maxWriteBlock: 2000, maxReadBlock: 500, ...options.limits },
      files: [file],
      run: watch =>
        withSession(connection, { ...limits, forJson: true, isForUser: true }, async session => {
          const measured = watch ? await measureSession(session, watch, seam) : session
          await runScripts(measured, await parseScripts([file], { transaction }), { transaction })
        }),
    }),
  )
}
