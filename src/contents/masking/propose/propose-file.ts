/** Reads a database and proposes a file of masking rules. Only a dry run without rules loads this module. */
import type { Session } from '#postgres/session'
import { readCatalog } from '../plan/catalog.ts'
import { readUses } from './definitions.ts'
import { measure } from './measure.ts'
import { proposeRules } from './proposal.ts'

/** Changes nothing. Counts values inside the database, and returns none. */
export async function proposeFile(session: Session): Promise<string> {
  // Functions must find their tables by the search path of production.
  await session.query('reset search_path')
  const catalog = await readCatalog(session)
  return proposeRules({
    catalog,
    uses: await readUses(session),
    measured: await measure(session, catalog),
  })
}
