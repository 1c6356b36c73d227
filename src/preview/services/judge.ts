/** Judges a record just read, before a change that relies on it. */
import type { Seam } from '#base/seam'

/** Milliseconds for which a record counts as just read. */
const freshness = 10_000

/** The most judgements of a record. After them, a slow GitHub is no reason to wait longer. */
const mostRounds = 3

/**
 * Reads a record and judges it: the reason to keep it unchanged, or undefined. Under GitHub's rate limit, a judgement
 * may take minutes. Then both are repeated, so the change that follows relies on fresh answers.
 */
export async function judge<Found>(
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
