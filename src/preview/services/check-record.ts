/** Checks a record just read, before a change that relies on it. */
import type { Seam } from '#base/seam'

/** Milliseconds for which a record counts as just read. */
const freshness = 10_000

/** The most checks of a record. After them, the last check decides, although GitHub answered slowly. */
const mostRounds = 3

/**
 * Reads a record and checks it: returns the reason against the change, or undefined. Under GitHub's rate limit, a check
 * may take minutes. Then both are repeated, so that the change relies on a fresh record.
 */
export async function checkRecord<Found>(
  { seam }: { seam: Pick<Seam, 'now'> },
  read: () => Promise<Found>,
  reasonAgainst: (found: Found) => Promise<string | undefined>,
): Promise<{ found: Found; reason: string | undefined }> {
  for (let round = 1; ; round++) {
    const found = await read()
    const readAt = seam.now()
    const reason = await reasonAgainst(found)
    const isFresh = seam.now() - readAt <= freshness
    if (reason !== undefined || isFresh || round === mostRounds) return { found, reason }
  }
}
