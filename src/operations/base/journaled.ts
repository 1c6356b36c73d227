/** Schemas of the intent and the created record, which a step saves in its state for its post step. */
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
  ids,
  /** The fields that identify the record in a list: its name, or the peer's fields of a peering. */
  match: z.record(z.string(), z.string()),
  /** The name has a random part, so this run created every record with that name. */
  isUniqueName: z.boolean(),
  /** Ids of matching records that existed before the call, so they are not this run's. Empty if `isUniqueName`. */
  existing: z.array(z.string()),
  parentId: z.optional(z.string()),
  /** The request is for a PROD service. Otherwise, a record with a tag other than DEV belongs to another run. */
  production: z.boolean(),
}

/** A creating call before its first request. Contains no secret. */
export type Plan = z.infer<z.ZodMiniObject<typeof planShape>>

/** A plan in progress, saved before each request, so that the post step can find the new record. */
export const intentSchema = z.object({
  ...planShape,
  /** The number of creating requests so far. */
  posts: z.number(),
  /** When the first request was sent: milliseconds since 1970, by the server's clock as far as it is known. */
  firstSent: z.number(),
  lastSent: z.number(),
  /** A search found no record, although it lasted longer than a request may be delayed. */
  searched: z.optional(z.boolean()),
  /** The API refused the request with its own error, so one search is enough. Only with `isUniqueName`. */
  refused: z.optional(z.boolean()),
})

export type Intent = z.infer<typeof intentSchema>

export const createdSchema = z.object({
  resource,
  ids,
  /** False if the answer was lost and the record was found by an exact name. Another job may have created it, so it is never deleted. */
  certain: z.boolean(),
})

export type CreatedRecord = z.infer<typeof createdSchema>

/** The part of the step's state that the post step reads. */
export interface Journaled {
  intent: Intent | undefined
  created: CreatedRecord | undefined
}
