/** Dry runs of `create-masked-parent`: proposes a file of rules, or checks the given one. */
import { counted } from '#base/bytes'
import { ActionError } from '#base/errors'
import { code, details, line } from '#base/report'
import type { OpenDatabase } from '#contents/open-database'
import type { SqlFile } from '#contents/sql/sql-error'
import type { Calls, Databases } from '#operations/base/context'
import type { Outcome } from '#operations/base/outcome'
import { explainConnection } from '#operations/wait/connect'
import type { UriConnection } from '#postgres/connection-uri'
import { describeNamed } from '../base/name.ts'
import { renderMoment } from '../base/origin.ts'
import { findMasked, type MaskedOwner } from './copies.ts'

export const operation = 'create-masked-parent'

export interface WithSource {
  settings: { contents: { databaseUrl: UriConnection | undefined } }
}

type WithDatabase = Databases & WithSource

/** Milliseconds for connecting. */
const longestConnect = 30_000

/** Runs `use` in the database of `database_url`; undefined if the input is not set. */
async function openGivenDatabase<Result>(
  { settings, deadline, seam, signal, openContents }: WithDatabase,
  use: (database: OpenDatabase) => Promise<Result>,
): Promise<Result | undefined> {
  const { databaseUrl } = settings.contents
  if (databaseUrl === undefined) return undefined
  const timeout = Math.min(longestConnect, deadline - seam.now())
  return await openContents(databaseUrl, timeout, use).catch(error => {
    signal.throwIfAborted()
    throw explainConnection(databaseUrl, error)
  })
}

/** Proposes a complete file of masking rules, to review and keep in the repository. */
export async function proposeRules(context: WithDatabase): Promise<Outcome> {
  const text = await openGivenDatabase(context, database => database.proposeRules())
  if (text === undefined)
    throw new ActionError(
      'a dry run needs mask_file to report the planned change, or database_url to propose a file',
      'give the URL of a copy, or of a role that may read the statistics of production',
    )
  const { log } = context
  log.info('proposed masking rules; check each line before you commit the file:')
  for (const row of text.trimEnd().split('\n')) log.info(row)
  return {
    operation,
    ids: {},
    result: text,
    // Outside of details, the summary would show only the first lines.
    report: [
      line('Check each line before you commit it:'),
      details('The proposed file', code('yaml', text.trimEnd())),
    ],
    skipped: 'dry run: the log and the summary show a proposed file of rules',
  }
}

/** Checks the file on the database of `database_url`, if given. */
async function checkRules(context: WithDatabase, rules: SqlFile): Promise<string> {
  const check = await openGivenDatabase(context, database => database.checkMaskFile(rules))
  if (!check)
    return 'the rules were not compared with the database: set database_url to check them on all rows'
  const { columns, tables, untried } = check
  const rows = untried === 0 ? 'on all rows' : `on all rows, but for ${untried} of the tables`
  return `the rules of ${counted(columns, 'column')} in ${counted(tables, 'table')} were checked ${rows}`
}

/** The planned change. Reads the source, so that a missing one fails the dry run. */
export async function planMaskedParent(
  context: Calls & WithDatabase,
  owner: MaskedOwner,
  rules: SqlFile,
): Promise<Outcome> {
  const { projectId: project_id, sourceId: service_id } = owner
  const source = await context.client.call('get-service', { project_id, service_id })
  const checked = await checkRules(context, rules)
  const [newest] = await findMasked(context, owner, 'masked')
  const before = newest
    ? `the newest masked copy is ${describeNamed(newest)} of ${renderMoment(newest.created) ?? 'an unknown moment'}`
    : 'there is no masked copy yet'
  const change = `would fork ${describeNamed(source)} with its present data, quarantine the fork, mask it by ${rules.name}, and search it for originals`
  return { operation, ids: { project_id }, skipped: `dry run: ${change}; ${checked}; ${before}` }
}
