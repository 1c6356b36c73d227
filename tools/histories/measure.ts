/** Rehearses a migration that psql sends through the tap. */

import { ActionError } from '#base/errors'
import { createRealSeam } from '#client/network/real-seam'
import { rehearse } from '#contents/rehearsal/rehearse'
import type { Rehearsal } from '#contents/rehearsal/result/stored'
import { openTap } from '#contents/rehearsal/tap/open-tap'
import { withSession } from '#postgres/session'
import { psql, type Server } from '../bench/database.ts'
import type { Sending } from './projects.ts'

const limits = { timeout: 120_000, signal: new AbortController().signal, mostBytes: 2 ** 26, forJson: true }

/** The longest text that Linux takes as one argument. */
const longest = 100_000

function argumentsFor(file: string, text: string, { transaction, split }: Sending): string[] {
  const sent = split || text.length > longest ? ['-f', file] : ['-c', text]
  return transaction ? ['-c', 'BEGIN', ...sent, '-c', 'COMMIT'] : sent
}

export async function measure(
  server: Server,
  file: string,
  text: string,
  sending: Sending,
): Promise<Rehearsal> {
  const seam = createRealSeam()
  const { rehearsal } = await withSession(server, limits, session =>
    rehearse(session, seam, {
      ...{ limits: {}, files: [] },
      async run(watch) {
        if (watch === undefined) throw new Error('the rehearsal cannot watch')
        const tap = await openTap(server, watch, seam)
        const through = { ...server, host: '127.0.0.1', port: tap.port, sslmode: 'disable' }
        try {
          await psql(through, argumentsFor(file, text, sending))
        } catch (error) {
          throw new ActionError(String(error), 'Read the refusal.')
        } finally {
          await tap.close()
        }
      },
    }),
  )
  return rehearsal
}
