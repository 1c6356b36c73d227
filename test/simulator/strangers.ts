/** Services of other owners that resemble those of a run. */
import type { GivenParameters } from '#operations/base/context'
import type { JobPlan } from './job-plan.ts'
import { previewBase } from './preview-names.ts'
import type { StoryBuilder } from './stories.ts'
import { otherCaller, projectId } from './world.ts'

/** Tags that keep a service. Only DEV and PROD are in the specification. */
const protectingTags = ['PROD', 'STAGING', 'prod', ' PROD ', 'PRODUCTION'] as const

/**
 * One of the tags that keep a service, by an id of the seed: a draw of its own would change all later ones. The typed
 * calls know PROD only.
 */
export const drawTag = ({ parentId }: StoryBuilder) =>
  protectingTags[parentId.charCodeAt(0) % protectingTags.length] as 'PROD'

type Call = (by: string, operation: string, parameters: GivenParameters) => string | undefined

/**
 * Another owner creates one of these: at any moment, or right after a run has sent a creating request, before or after
 * the server processes it.
 */
function addStranger(play: StoryBuilder, creates: boolean, makes: [string, GivenParameters][]): void {
  const { world, chance, foreign } = play
  const appear = () => {
    const [operation, given] = chance.pick(makes)
    const id = (world.call.bind(world) as Call)(otherCaller, operation, { project_id: projectId, ...given })
    if (id !== undefined) foreign.push(id)
  }
  if (!creates || chance.hits(0.4)) {
    world.time.schedule(play.later(), appear)
    return
  }
  let left = chance.whole(1, 3)
  world.onCreating = () => {
    left -= 1
    const delay = chance.pick([0, chance.between(0, 300), chance.between(0, 60_000)])
    if (left === 0) world.time.schedule(delay, appear)
  }
}

/** Another owner takes the exact name that a step requests. */
export function addNamesake(play: StoryBuilder, { operation, given }: JobPlan): void {
  const { service_id: _, fork_strategy: __, ...unforked } = given
  const makes: [string, GivenParameters][] = [[operation, given]]
  if (/-service$/.test(operation)) makes.push([operation, { ...given, environment_tag: drawTag(play) }])
  if (operation === 'fork-service') makes.push(['create-service', unforked])
  if (operation === 'create-service')
    makes.push(['fork-service', { service_id: play.parentId, fork_strategy: 'NOW', name: given.name }])
  addStranger(play, true, makes)
}

/** Another owner needs the new record of the step, and tags it. */
export function addTagger(play: StoryBuilder, { name }: JobPlan): void {
  const { world, chance } = play
  const delay = chance.pick([chance.between(0, 3000), chance.between(0, 60_000)])
  const environment = drawTag(play)
  const promote = (service_id: string) => {
    world.call(otherCaller, 'set-environment', { project_id: projectId, service_id, environment })
    const found = world.services().find(service => service.service_id === service_id)
    if (found?.metadata?.environment === environment) world.ledger.promotions.set(service_id, world.time.now)
  }
  world.onCreated = (id, by) => {
    if (by === name) world.time.schedule(delay, () => promote(id))
  }
}

/**
 * Another owner creates a service with nearly the name of a preview, or exactly that name. `creates`: whether any run
 * does.
 */
export function addImpostor(play: StoryBuilder, creates: boolean): void {
  const name = previewBase()
  const fork = { service_id: play.parentId, fork_strategy: 'NOW' }
  addStranger(play, creates, [
    ['fork-service', { ...fork, name: `${name}-zz9zz9`, environment_tag: drawTag(play) }],
    ['create-service', { name: `${name}-zz9zz9` }],
    ['fork-service', { ...fork, name: `${name}zz9zz9` }],
    ['fork-service', { ...fork, name }],
    ['create-service', { name, environment_tag: 'PROD' }],
  ])
}
