import { queryRow } from '#postgres/session'
import { workSchema } from '../plan/expressions.ts'
import type { OpenSession } from './work.ts'

/** How far masking or searching has come. Rows are about as many as the statistics say. */
export interface Progress {
  stage: 'masking' | 'searching'
  rows: number
  allRows: number
  /** About how many seconds are left; undefined where nothing tells. */
  left: number | undefined
}

export interface Watch {
  onProgress?: ((progress: Progress) => void) | undefined
  /** Seconds between two reports; half a minute if left out. */
  every?: number | undefined
}

/** True for every row that it is asked of, and counts it: other sessions see a sequence before the statement ends. */
export const isCounted = `nextval('${workSchema}.done') > 0`

/** Seconds between two looks at the count. */
const pause = 0.25

const look = `select case when is_called then last_value else 0 end::float8 as rows,
  extract(epoch from clock_timestamp())::float8 as now from ${workSchema}.done`

/** Does what counts its rows, and tells how far it has come. A report that fails is left out. */
export async function withProgress<Result>(
  open: OpenSession,
  { stage, allRows, onProgress, every = 30 }: Pick<Progress, 'stage' | 'allRows'> & Watch,
  act: () => Promise<Result>,
): Promise<Result> {
  if (onProgress === undefined) return await act()
  let isDone = false
  // The count is read before the work begins: what it had come to by then would never be told.
  const { promise: isReady, resolve: begin } = Promise.withResolvers<void>()
  const watching = open(async session => {
    const ask = () => queryRow<{ rows: number; now: number }>(session, look)
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
