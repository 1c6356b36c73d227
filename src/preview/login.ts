import type { Service } from '../api/records.ts'
import { waitForConnection } from '../operations/connect.ts'
import type { Context } from '../operations/context.ts'
import type { Outcome } from '../operations/outcome.ts'
import type { Preview } from './identity.ts'

/** One look, to find out whether the password is set already. */
const quickLook = 5000

async function isPasswordSet(context: Context, service: Service, password: string): Promise<boolean> {
  if (service.endpoint === undefined) return false
  const { host, port } = service.endpoint
  try {
    await context.probe({ ...context.settings.login, host, port, password }, quickLook)
    return true
  } catch {
    return false
  }
}

/**
 * Gives a preview its derived password (DESIGN rule 8). One that has it already is left alone, as are the
 * sessions that are open in it.
 */
export async function setDerivedPassword(
  context: Context,
  preview: Preview,
  service: Service,
  created: boolean,
): Promise<string> {
  const password = context.derivePassword(service.service_id)
  context.mask(password)
  const checkable = !created && context.settings.waitForConnection
  if (checkable && (await isPasswordSet(context, service, password))) return password
  const ids = { project_id: preview.projectId, service_id: service.service_id }
  await context.client.call('update-password', { ...ids, password })
  return password
}

/** Waits for a real connection, where the inputs ask for it. */
export async function checkConnection(context: Context, outcome: Outcome): Promise<void> {
  if (context.settings.waitForConnection) await waitForConnection(context, outcome)
}
