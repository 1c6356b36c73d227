/** The interface of every operation: its inputs and fields, its effect, and the function that runs it. */
import type * as z from 'zod/mini'
import type { Context, GivenParameters } from './context.ts'
import type { Outcome } from './outcome.ts'

/** The texts of the inputs that are set, by their names. */
export type Texts = ReadonlyMap<string, string>

/** The strongest effect on records: `changes` includes deletions, `creates` includes both others. */
export type Effect = 'reads' | 'changes' | 'creates'

/** The event and the settings of a run, which are known before its operation starts. */
export interface EventAndSettings<Settings> {
  event: {
    name: string
    action: string | undefined
    pullRequest: { number: number } | undefined
    mergeGroup?: object | undefined
  }
  settings: Settings
}

export interface Operation<Needed extends Context = Context> {
  name: string
  summary: string
  effect: Effect
  /** The API's fields that it takes, with their schemas. */
  fields: Record<string, z.core.$ZodType>
  rules?: z.ZodMiniType | undefined
  renamed?: Record<string, string> | undefined
  /** The inputs it uses, besides those that every operation uses. */
  inputs: string[]
  /** For an input, the other inputs that it makes unused. */
  unusedBeside?: Record<string, string[]> | undefined
  /** Inputs it refuses, each with the reason: they would promise something that it does not do. */
  refused?: Record<string, string>
  defaults?: Record<string, string> | undefined
  defaultsFor?(texts: Texts): Record<string, string>
  /** An input whose value contradicts another input. */
  findContradiction?(settings: Needed['settings']): { input: string; expected: string } | undefined
  /** Whether it may set a derived password on a database: then the secret must be hard to guess. */
  derivesPassword?(run: EventAndSettings<Needed['settings']>): boolean
  /** Whether it may create a preview: then the inputs must name the origin of its data. */
  createsPreview?(run: EventAndSettings<Needed['settings']>): boolean
  /** It publishes connection details only at its end, because its database is not quarantined earlier. */
  withholds?: boolean
  /** It makes several calls: if a wait fails, it publishes the last record that it read. */
  publishesLastRecord?: boolean
  /** The log of its service may contain personal data, so a failure shows none of it. */
  hidesLog?: boolean
  run(parameters: GivenParameters, context: Needed): Promise<Outcome>
}

export function isOptionalField(name: string, schema: z.core.$ZodType): boolean {
  return name === 'project_id' || schema._zod.def.type === 'optional'
}
