/** Enforces `max_previews`. */
import type { Service } from '#api/records'
import { isEnding } from '#api/service-states'
import { ActionError } from '#base/errors'
import type { Calls } from '#operations/base/context'
import { byAge } from '#operations/create/intent'
import type { WithSettings } from '../base/context.ts'
import type { Preview } from '../base/identity.ts'
import { listNamed } from '../base/list-services.ts'
import { parsePreviewName, previewBaseOf } from '../base/name.ts'
import { renderStored } from '../base/size.ts'

/** The number of previews that the error names. */
const mostNamed = 5

/** One database of each other preview of the repository with any prefix, oldest first. */
async function findOthers(context: Calls, preview: Preview): Promise<Service[]> {
  const services = await listNamed(context, preview.projectId, name => previewBaseOf(name) !== undefined)
  const others = new Map<string, Service>()
  for (const service of services.filter(service => !isEnding(service)).sort(byAge('service'))) {
    const base = previewBaseOf(service.name ?? '')
    const isOwned = parsePreviewName(service.name ?? '')?.repositoryHash === preview.repositoryHash
    if (base !== undefined && isOwned && base !== preview.base && !others.has(base)) others.set(base, service)
  }
  return [...others.values()]
}

const renderServices = (services: Service[]) =>
  services
    .slice(0, mostNamed)
    .map(({ name, service_id, created }) => `${name} (${service_id}${created ? `, of ${created}` : ''})`)
    .join(', ')

/**
 * Refuses a new preview beyond `max_previews`. Concurrent runs may not see each other's new previews.
 * @throws ActionError naming the oldest
 */
export async function assertBelowLimit(
  context: Calls & WithSettings<'preview'>,
  preview: Preview,
): Promise<void> {
  const { maxPreviews } = context.settings.preview
  if (maxPreviews === undefined) return
  const others = await findOthers(context, preview)
  if (others.length < maxPreviews) return
  const stored = renderStored(...others)
  const storing = stored === undefined ? '' : `, which store ${stored}`
  throw new ActionError(
    `max_previews is ${maxPreviews}, and this repository has ${others.length} other preview${others.length === 1 ? '' : 's'}${storing}: ${preview.base} is not created`,
    `run prune-previews or close a pull request: the oldest previews are ${renderServices(others)}`,
  )
}
