/** Rehearses SQL on a database of the bench. */
import { createRealSeam } from '#client/network/real-seam'
import { type Rehearsed, rehearse } from '#contents/rehearsal/rehearse'
import type { Limits } from '#contents/rehearsal/result/limits'
import { callThroughTap } from '#contents/rehearsal/tap/open-tap'
import { runScripts } from '#contents/sql/run-scripts'
import { parseScripts } from '#contents/sql/scripts'
import { withSession } from '#postgres/session'
import { connectionOf, type Outputs } from '../../../support/fork.ts'

const limits = { timeout: 60_000, signal: new AbortController().signal, mostBytes: 64 * 1024 * 1024 }

export interface Options {
  limits?: Partial<Limits>
  transaction?: boolean
}

/** Rehearses SQL as the operation rehearses files. */
export async function rehearseSql(
  outputs: Outputs,
  sql: string | string[],
  options: Options = {},
): Promise<Rehearsed> {
  const connection = connectionOf(outputs)
  const { transaction = true } = options
  const files = [sql].flat().map((text, index) => ({ name: `${index}.sql`, path: `${index}.sql`, text }))
  const seam = createRealSeam()
  return await withSession(connection, { ...limits, forJson: true }, watching =>
    rehearse(watching, seam, {
      limits: { maxWriteBlock: 2000, maxReadBlock: 500, ...options.limits },
      files,
      run: watch =>
        callThroughTap(seam, connection, watch, address =>
          withSession(address, { ...limits, forJson: true, isForUser: true }, async session => {
            await runScripts(session, await parseScripts(files, { transaction }), { transaction })
          }),
        ),
    }),
  )
}
