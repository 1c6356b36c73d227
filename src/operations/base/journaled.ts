/** The records that a step saves in its state, which the post step reads: these schemas are their types. */
import * as z from 'zod/mini'
import { endpoints } from '#api/endpoints'
import { resources } from '#api/resource'
import { keysOf } from '#base/table'
import { idNames } from './outcome.ts'

const resource = z.enum(keysOf(resources))
const ids = z.partialRecord(z.enum(idNames), z.string())

const planShape = {
  operation: z.enum(keysOf(endpoints)),
  resource,
  /** Ids on the path of the call. */
  ids,
  /** The fields by which the record is found again in a list: its name, or the peer's fields of a peering. */
  match: z.record(z.string(), z.string()),
  /** The name has a random part, so every record that bears it was made by this run. */
  isOwnName: z.boolean(),
  /** Ids of records that looked the same before the call, so they are not this run's. Empty when `isOwnName`. */
  existing: z.array(z.string()),
  /** Of a fork: the service that it is made from. */
  parentId: z.optional(z.string()),
  /** The request asks for a PROD service. If it does not, a record with any tag but DEV belongs to somebody else. */
  production: z.boolean(),
}

const planSchema = z.object(planShape)

/** What a creating call is about to do, as known before its first request. Holds no secret. */
export type Plan = z.infer<typeof planSchema>

/** A plan under way, saved before each request, so that the end of the job can find what the request made. */
export const intentSchema = z.object({
  ...planShape,
  /** How many requests were sent so far, at most two. */
  posts: z.number(),
  /** When the first of them was sent: milliseconds since 1970, by the server's clock as far as it is known. */
  firstSent: z.number(),
  /** When the last of them was sent. */
  lastSent: z.number(),
  /** The record was looked for in vain, for as long as a request may be processed late. */
  searched: z.optional(z.boolean()),
  /** The API refused the request in its own words, so one look is enough. Only of a name of one's own. */
  refused: z.optional(z.boolean()),
})

export type Intent = z.infer<typeof intentSchema>

/** A record that was created, by the ids that address it. */
export const createdSchema = z.object({
  resource,
  ids,
  /**
   * False when the answer was lost and the record was found by an exact name, which another job may have used: this job
   * may use the record, but must not delete it.
   */
  certain: z.boolean(),
})

export type CreatedRecord = z.infer<typeof createdSchema>
