/** Parses and applies rules for faults. */
import * as z from 'zod/mini'
import { type EndpointName, endpoints } from '#api/endpoints'
import { suggestionClause } from '#base/suggest'
import type { Fault, FaultRequest } from './faults.ts'

/** A malformed list of faults. The message has the entry and its problem. */
export class FaultRulesError extends Error {
  override name = 'FaultRulesError'
}

const when = z.enum(['before', 'after'])
const count = z.int().check(z.minimum(0))

const names = Object.keys(endpoints) as [EndpointName, ...EndpointName[]]

/** The requests that a rule applies to. All given conditions must hold. */
const target = {
  operation: z.optional(z.enum(names)),
  method: z.optional(z.string()),
  /** The prefix of the path, after the base path. */
  path: z.optional(z.string()),
  /** The number of matching requests that pass first. */
  skip: z._default(count, 0),
  /** The number of matching requests that fail. Default: all. */
  times: z.optional(count),
}

const ruleSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    ...target,
    kind: z.literal('answer'),
    when: z._default(when, 'before'),
    status: z.int().check(z.minimum(200), z.maximum(599)),
    body: z.optional(z.unknown()),
    contentType: z.optional(z.string()),
    headers: z.optional(z.record(z.string(), z.string())),
  }),
  ...(['reset', 'hang', 'drip', 'huge'] as const).map(kind =>
    z.strictObject({ ...target, kind: z.literal(kind), when: z._default(when, 'before') }),
  ),
  z.strictObject({ ...target, kind: z.literal('truncate') }),
  z.strictObject({ ...target, kind: z.literal('late'), milliseconds: count }),
])

export type FaultRule = z.output<typeof ruleSchema>

/** Without it, the small edition of zod has only one message: "Invalid input". */
const english = z.locales.en().localeError

function describe(issue: z.core.$ZodIssue): string {
  const place = issue.path.join('.') || 'the list'
  if (issue.code === 'unrecognized_keys') return `${place}: unknown field ${issue.keys.join(', ')}`
  if (issue.code === 'invalid_union' && 'options' in issue)
    return `${place}: expected one of ${issue.options?.join(', ')}`
  if (issue.path.at(-1) === 'operation') {
    const given = String(issue.input)
    return `${place}: there is no operation ${given}${suggestionClause(given, names)}`
  }
  return `${place}: ${issue.message}`
}

/** Parses a list of rules that is not text. Throws `FaultRulesError`. */
export function readFaultRules(list: unknown): FaultRule[] {
  const result = z.array(ruleSchema).safeParse(list, { error: english, reportInput: true })
  if (result.success) return result.data
  const problems = result.error.issues.map(describe)
  throw new FaultRulesError(
    `the faults cannot be read: ${problems.join('; ')}; correct them as docs/emulator.md shows`,
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new FaultRulesError('the faults are not JSON; correct them as docs/emulator.md shows')
  }
}

/** Parses a list of rules. Throws `FaultRulesError`. */
export function parseFaultRules(text: string): FaultRule[] {
  return readFaultRules(parseJson(text))
}

function matches({ operation, method, path }: FaultRule, request: FaultRequest): boolean {
  return (
    (operation === undefined || operation === request.operation) &&
    (method === undefined || method.toUpperCase() === request.method) &&
    (path === undefined || request.path.startsWith(path))
  )
}

/** The fault of a rule, without the fields that select requests. */
function toFault(rule: FaultRule): Fault {
  const fields = Object.entries(rule).filter(([name, value]) => !(name in target) && value !== undefined)
  return Object.fromEntries(fields) as Fault
}

/** Applies a list of rules to requests: the first match decides. The list may be replaced at any time. */
export class FaultRules {
  #rules: { rule: FaultRule; seen: number }[] = []

  replace(rules: readonly FaultRule[]): void {
    this.#rules = rules.map(rule => ({ rule, seen: 0 }))
  }

  /** The rules, each with the number of its matching requests so far. */
  get all(): (FaultRule & { seen: number })[] {
    return this.#rules.map(({ rule, seen }) => ({ ...rule, seen }))
  }

  /** The fault for this request, if any. */
  readonly hook = (request: FaultRequest): Fault | undefined => {
    for (const entry of this.#rules) {
      if (!matches(entry.rule, request)) continue
      const { skip, times = Infinity } = entry.rule
      const index = entry.seen - skip
      entry.seen += 1
      if (index >= 0 && index < times) return toFault(entry.rule)
    }
    return undefined
  }
}
