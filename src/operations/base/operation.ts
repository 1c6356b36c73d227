import type * as z from 'zod/mini'
import type { Context, GivenParameters } from './context.ts'
import type { Outcome } from './outcome.ts'

/** The most that an operation does to records: only read them; change or delete them; or create some as well. */
export type Effect = 'reads' | 'changes' | 'creates'

/** What is known before an operation runs. */
export interface Ahead<Settings> {
  event: {
    name: string
    action: string | undefined
    pullRequest: { number: number } | undefined
    /** The entry of the merge queue, if the event is about one. */
    mergeGroup?: object | undefined
  }
  settings: Settings
}

/** An input that does not go with another one. */
export interface Contradiction {
  input: string
  expected: string
}

/** One value of the input `operation`, and what it needs to run. */
export interface Operation<Needed extends Context = Context> {
  name: string
  summary: string
  effect: Effect
  /** The schemas of the API's fields that it takes, in the API's own types. */
  fields: Record<string, z.core.$ZodType>
  /** The rules between its fields, if there are any. */
  rules?: z.ZodMiniType | undefined
  /** Older names of its fields, each with the name of today. */
  renamed?: Record<string, string> | undefined
  /** The inputs it uses, besides those that every operation uses. */
  inputs: string[]
  /** Those that it does not use beside another one, which is named first. */
  unusedBeside?: Record<string, string[]> | undefined
  /** Inputs it refuses, each with the reason: they would promise what it does not do. */
  refused?: Record<string, string>
  /** The texts of its own defaults of inputs, where they differ from the general ones. */
  defaults?: Record<string, string> | undefined
  /** Those that hold only with some texts of other inputs. */
  defaultsFor?(texts: ReadonlyMap<string, string>): Record<string, string>
  /** What is wrong between its settings, if anything is: the input, and what was expected of it. */
  findContradiction?(settings: Needed['settings']): Contradiction | undefined
  /** Whether it may set a derived password on a database: then the secret must be hard to guess. */
  derivesPassword?(ahead: Ahead<Needed['settings']>): boolean
  /** Whether it may make a preview: then the inputs must say where its data comes from. */
  makesPreview?(ahead: Ahead<Needed['settings']>): boolean
  /** It keeps connection details out of outputs until it is over, as its database is not quarantined before. */
  withholds?: boolean
  /** It makes several calls: where a wait fails, the outputs hold the last record seen. */
  publishesLastSeen?: boolean
  /** The log of its service may hold what nobody is to see, so a failure shows none of it. */
  hidesLog?: boolean
  run(parameters: GivenParameters, context: Needed): Promise<Outcome>
}

/** Whether a field may be left out. */
export function isOptionalField(name: string, schema: z.core.$ZodType): boolean {
  return name === 'project_id' || schema._zod.def.type === 'optional'
}
