/** Quarantines the database of a preview if needed, and notes that in the database. */
import type { Service } from '#api/records'
import type { PreviewNote } from '#contents/notes/preview-note'
import { keepNothing } from '#contents/quarantine/keep-active'
import type { Waiting } from '#operations/base/context'
import { assertStrict, quarantine } from '#operations/quarantine'
import type { WithSettings } from '../base/context.ts'
import type { Preview } from '../base/identity.ts'
import type { Visit } from './database-access.ts'
import { noteProblem } from './note.ts'

type Quarantining = Waiting & WithSettings<'keepActive' | 'preview' | 'quarantine'>

type Forked = Pick<Preview, 'parentId'>

/** Whether the database needs a quarantine. An earlier quarantine in its note proves that it has a parent. */
export function isQuarantineNeeded(
  { settings }: Quarantining,
  { parentId }: Forked,
  service: Service,
  state?: PreviewNote,
): boolean {
  const parent = service.forked_from?.service_id ?? parentId ?? state?.quarantine
  return (parent !== undefined || settings.preview.masked) && settings.quarantine !== false
}

const keepActiveOf = ({ settings }: Quarantining) => JSON.stringify(settings.keepActive ?? keepNothing)

function isQuarantined(context: Quarantining, { state: { quarantine }, startedAt }: Visit): boolean {
  if (quarantine === undefined) return false
  const isComplete = quarantine.report.undone.length === 0
  const isSufficient = isComplete || context.settings.quarantine !== 'strict'
  const isAsRequested = quarantine.keep_active === keepActiveOf(context)
  // After a restart of the server, the quarantine runs again.
  return isSufficient && isAsRequested && quarantine.started_at === startedAt
}

/** Quarantines the database as requested; returns the new state. @throws ActionError */
export async function ensureQuarantine(
  context: Quarantining,
  preview: Forked,
  visit: Visit,
): Promise<PreviewNote> {
  const { service, database, state, startedAt } = visit
  if (!isQuarantineNeeded(context, preview, service, state) || isQuarantined(context, visit)) return state
  const report = await quarantine(context, service.service_id, database, state.quarantine?.report)
  const secured = {
    ...state,
    quarantine: { report, keep_active: keepActiveOf(context), started_at: startedAt },
  }
  await database.write(JSON.stringify(secured))
  try {
    assertStrict(context, service.service_id, report)
  } catch (failure) {
    await noteProblem(database, secured, failure)
    throw failure
  }
  return secured
}
