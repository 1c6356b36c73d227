/** Reports how many rows are masked or searched, and how much time is left. */
import { type OpenSession, queryRow } from '#postgres/session'
import { workSchema } from '../plan/expressions.ts'

/** `allRows` is an estimate from the statistics. */
export interface Progress {
  stage: 'masking' | 'searching'
  rows: number
  allRows: number
  /** Estimated seconds; undefined before the first row. */
  left: number | undefined
}

export interface MaskingOptions {
  /** The number of tables that are masked or searched at once. */
  sessions: number
  onProgress?: ((progress: Progress) => void) | undefined
  /** Seconds between two reports; 30 by default. */
  every?: number | undefined
}

/** A condition that is always true and counts its rows. Other sessions see a sequence change before the statement ends. */
export const isCounted = `nextval('${workSchema}.done') > 0`

/** Seconds between two reads of the count. */
const pause = 0.25

const question = `select case when is_called then last_value else 0 end::float8 as rows,
  extract(epoch from clock_timestamp())::float8 as now from ${workSchema}.done`

/** Runs an action that counts the rows of these tables, and reports its progress. Errors of a report are ignored. */
export async function withProgress<Result>(
  open: OpenSession,
  stage: Progress['stage'],
  tables: readonly { rows: number }[],
  { onProgress, every = 30 }: MaskingOptions,
  act: () => Promise<Result>,
): Promise<Result> {
  if (onProgress === undefined) return await act()
  const allRows = tables.reduce((sum, { rows }) => sum + rows, 0)
  let isDone = false
  // The first read must precede the action: rows counted before it would be missing from the report.
  const { promise: isReady, resolve: begin } = Promise.withResolvers<void>()
  const watching = open(async session => {
    const ask = () => queryRow<{ rows: number; now: number }>(session, question)
    const start = await ask()
    begin()
    let last = start.now
    while (!isDone) {
      await session.query(`select pg_sleep(${pause})`)
      const found = await ask()
      if (isDone || found.now < last + every) continue
      last = found.now
      const rows = Math.min(found.rows - start.rows, allRows)
      const left = rows > 0 ? ((found.now - start.now) / rows) * (allRows - rows) : undefined
      onProgress({ stage, rows, allRows, left })
    }
  })
    .catch(() => {})
    .finally(begin)
  try {
    await isReady
    return await act()
  } finally {
    isDone = true
    await watching
  }
}
