/** Reads a database and proposes a file of masking rules for it. Only a dry run without rules loads this. */
import type { Session } from '#postgres/session'
import { readCatalog } from '../plan/catalog.ts'
import { readUses } from './definitions.ts'
import { measure } from './measure.ts'
import { proposeRules } from './proposal.ts'

/** Returns a file of rules to start from. Changes nothing; counts values in the database, and reads none. */
export async function proposeFile(session: Session): Promise<string> {
  // Functions of the database find their tables as they do in production.
  await session.query('reset search_path')
  const catalog = await readCatalog(session)
  return proposeRules({
    catalog,
    uses: await readUses(session),
    measured: await measure(session, catalog),
  })
}
