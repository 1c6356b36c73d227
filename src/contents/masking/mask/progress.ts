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
const pollInterval = 0.25

const countQuery = `select case when is_called then last_value else 0 end::float8 as rows,
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
  const { promise: started, resolve: setStarted } = Promise.withResolvers<void>()
  const watching = open(async session => {
    const readCount = () => queryRow<{ rows: number; now: number }>(session, countQuery)
    const start = await readCount()
    setStarted()
    let last = start.now
    while (!isDone) {
      await session.query(`select pg_sleep(${pollInterval})`)
      const count = await readCount()
      if (isDone || count.now < last + every) continue
      last = count.now
      const rows = Math.min(count.rows - start.rows, allRows)
      const left = rows > 0 ? ((count.now - start.now) / rows) * (allRows - rows) : undefined
      onProgress({ stage, rows, allRows, left })
    }
  })
    .catch(() => {})
    .finally(setStarted)
  try {
    await started
    return await act()
  } finally {
    isDone = true
    await watching
  }
}
