/** Finds inputs and values without effect, and inputs with an older name. */
import { cap } from '#base/bytes'
import { suggest, suggestionClause } from '#base/suggest'
import type { GivenParameters } from '#operations/base/context'
import type { Effect, Operation, Texts } from '#operations/base/operation'
import { inputTable } from './input-table.ts'
import { operations } from './operation-table.ts'

/** Messages about inputs that are set but not used: problems fail the step, the others are warnings. */
export interface Unused {
  problems: string[]
  warnings: string[]
  /** The correct name for each misspelled one, if exactly one name is similar and that input is not set. */
  corrections: Map<string, string>
}

/** Inputs that every operation uses. */
const commonInputs = Object.keys(inputTable).filter(name => inputTable[name]?.ignored === 'never')

const usedBy = ({ inputs }: Pick<Operation, 'inputs'>) => new Set([...commonInputs, ...inputs])

/** Upper limit for operations in a message; docs/reference.md has all of them. */
const mostUsers = 4

/** The operations that use an input. */
const usersOf = (name: string) =>
  [...operations.values()].filter(operation => usedBy(operation).has(name)).map(user => user.name)

/** The harm of ignoring the input; undefined if there is none. */
function harmOfIgnoring(name: string, text: string, effect: Effect): string | undefined {
  const ignored = inputTable[name]?.ignored
  if (typeof ignored !== 'object' || effect === 'reads' || text === ignored.idle) return undefined
  return ignored.by === 'changes' || ignored.by === effect ? ignored.what : undefined
}

/** Reports an input that the operation does not use: a problem if ignoring it could do harm. */
function reportUnused(operation: Operation, name: string, texts: Texts): Partial<Unused> {
  const free = [...usedBy(operation)].filter(other => !texts.has(other) && other.includes(name))
  const suggestion = suggestionClause(name, free)
  const harm = harmOfIgnoring(name, texts.get(name) ?? '', operation.effect)
  if (harm === undefined)
    return { warnings: [`the input ${name} is not used by ${operation.name}${suggestion || ': remove it'}`] }
  const users = cap(usersOf(name), mostUsers).join(', ')
  return {
    problems: [`${name}: not used by ${operation.name}, and ${harm}: use it with ${users}${suggestion}`],
  }
}

/** Reports an unknown input: a problem if it looks like a known one, since `dry_runn: true` would be a real run. */
function reportUnknown(name: string, known: Set<string>): Partial<Unused> {
  const suggestion = suggestionClause(name, known)
  const message = `unknown input "${name}"${suggestion || ': remove it'}`
  return suggestion ? { problems: [message] } : { warnings: [message] }
}

/** Warns of inputs that have no effect beside another one, such as `name_prefix` beside `service_id`. */
const findUnusedBeside = ({ name, unusedBeside = {} }: Operation, texts: Texts): string[] =>
  Object.entries(unusedBeside)
    .filter(([other]) => texts.has(other))
    .flatMap(([other, inputs]) =>
      inputs
        .filter(input => texts.has(input))
        .map(input => `the input ${input} is not used by ${name} with ${other}: remove one of them`),
    )

/** The correct names for misspelled ones, which all further checks use. */
function findCorrections(unused: string[], known: Set<string>, texts: Texts): Map<string, string> {
  const corrections = new Map<string, string>()
  for (const name of unused) {
    if (known.has(name)) continue
    const [only, ...others] = suggest(name, known)
    if (only !== undefined && others.length === 0 && !texts.has(only)) corrections.set(name, only)
  }
  return corrections
}

/** Reports all inputs that are set but not used by the operation. */
export function findUnused(operation: Operation, texts: Texts): Unused {
  const used = usedBy(operation)
  const { refused = {} } = operation
  const unused = [...texts.keys()].filter(name => !used.has(name))
  const known = new Set(Object.keys(inputTable))
  const reports = unused.map((name): Partial<Unused> => {
    const reason = refused[name]
    // The input suggests an effect that the operation does not have.
    if (reason !== undefined) return { problems: [`${name}: not for ${operation.name}; ${reason}`] }
    return known.has(name) ? reportUnused(operation, name, texts) : reportUnknown(name, known)
  })
  return {
    corrections: findCorrections(unused, known, texts),
    problems: reports.flatMap(({ problems = [] }) => problems),
    warnings: [...reports.flatMap(({ warnings = [] }) => warnings), ...findUnusedBeside(operation, texts)],
  }
}

export interface InputWarning {
  title: 'unused input' | 'renamed input' | 'value without effect' | 'keys beside a command'
  message: string
}

/** Adds a title to warnings. */
export const titled = (title: InputWarning['title'], messages: string[]): InputWarning[] =>
  messages.map(message => ({ title, message }))

/** The texts under their current names, and a warning for each input with an older name. */
export function readRenamed(
  operation: Operation | undefined,
  texts: Texts,
): { texts: Texts; warnings: string[] } {
  const renamed = new Map(texts)
  const warnings: string[] = []
  for (const [older, name] of Object.entries(operation?.renamed ?? {})) {
    const text = texts.get(older)
    // If the current input is set too, the older one is unused, which has its own warning.
    if (text === undefined || texts.has(name)) continue
    renamed.delete(older)
    renamed.set(name, text)
    warnings.push(`${operation?.name} has renamed the input ${older} to ${name}: rename it in the step`)
  }
  return { texts: renamed, warnings }
}

/** A warning for each value that the API accepts and ignores. */
export function findIneffective(parameters: GivenParameters): string[] {
  return Object.entries(parameters).flatMap(([name, given]) => {
    const advice = new Map(Object.entries(inputTable[name]?.ineffective ?? {}))
    return [given].flat().flatMap(value => {
      const instead = advice.get(String(value))
      return instead === undefined ? [] : [`${name}: ${value} has no effect anymore; ${instead}`]
    })
  })
}
