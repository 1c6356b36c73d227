/** A broken promise, and the story in which it broke. */
import type { Endpoint } from '#api/endpoint'
import { endpoints } from '#api/endpoints'
import { resources } from '#api/resource'
import { longestLag, tolerableLag } from './climate.ts'
import type { JobPlan, JobReport } from './job-plan.ts'
import { type PromiseName, promises } from './promises.ts'
import type { Story } from './stories.ts'
import { baseOf, createsPreview, isMasking } from './subject.ts'
import type { World } from './world.ts'

export interface Violation {
  invariant: string
  detail: string
}

/** A finished story: its plan, its results, and the knowledge of each run. */
export interface Played {
  world: World
  story: Story
  reports: JobReport[]
}

export const violation = (name: PromiseName, detail: string): Violation => ({
  invariant: promises[name],
  detail,
})

/** The contract's row of an operation; undefined for operations of previews. */
export const rowOf = (operation: string): Endpoint | undefined =>
  (endpoints as Record<string, Endpoint>)[operation]

/** The record that a step creates, if any. */
export function createdResource(plan: JobPlan) {
  return createsPreview(plan) || isMasking(plan) ? 'service' : rowOf(plan.operation)?.creates
}

/** Whether a run that requires a masked database must not publish this one. */
export const isUnmasked = (world: World, { settings }: JobPlan, id: string) =>
  settings.preview.masked && world.held(id).stamp === undefined

/** The id in the outputs of a run, created or found. */
export function publishedId({ plan, ending }: JobReport): string | undefined {
  const isFound = plan.operation === 'get-connection' && baseOf(plan) !== undefined
  const resource = isFound ? 'service' : createdResource(plan)
  if (ending.kind === 'succeeded' && ending.outcome.operation === 'delete-preview') return undefined
  if (ending.kind !== 'succeeded' || ending.outcome.skipped !== undefined || !resource) return undefined
  return ending.outcome.ids[resources[resource].id]
}

/**
 * Whether answers lag so far that some promises do not hold. If a slow clock dates `created`, a new preview looks older
 * than it is. Its first run then waits less for lists.
 */
export function isFarBehind({ climate }: World): boolean {
  const { dating } = climate
  const slowness = dating.kind === 'apart' ? Math.max(0, -dating.by) : 0
  return longestLag(climate) > Math.max(0, tolerableLag - slowness)
}
