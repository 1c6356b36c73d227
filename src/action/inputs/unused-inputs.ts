/** Judges inputs and values that have no effect, and renamed inputs. */
import { suggest, suggestionClause } from '#base/suggest'
import type { GivenParameters } from '#operations/base/context'
import type { Effect, Operation } from '#operations/base/operation'
import { inputTable } from './input-table.ts'
import { operations } from './operation-table.ts'

type Texts = ReadonlyMap<string, string>

/** Messages about inputs that are set but not used: problems fail the step, the others are warnings. */
export interface Unused {
  problems: string[]
  warnings: string[]
  /** The correct name for each misspelled one, if it is certain and not set. */
  meant: Map<string, string>
}

/** Inputs that every operation uses. */
const commonInputs = Object.keys(inputTable).filter(name => inputTable[name]?.ignored === 'never')

const usedBy = ({ inputs }: Pick<Operation, 'inputs'>) => new Set([...commonInputs, ...inputs])

/** Upper limit for operations in a message; docs/reference.md has all of them. */
const mostTakers = 4

/** The operations that use an input: `use it with prune-previews`. */
function describeTakers(name: string): string {
  const takers = [...operations.values()].filter(operation => usedBy(operation).has(name))
  const named = takers.slice(0, mostTakers).map(operation => operation.name)
  const more = takers.length - named.length
  return `use it with ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function hint(name: string, used: Set<string>, texts: Texts): string {
  const free = [...used].filter(other => !texts.has(other) && other.includes(name))
  return suggestionClause(name, free)
}

/** The harm of ignoring the input; undefined if there is none. */
function harmOfIgnoring(name: string, text: string, effect: Effect): string | undefined {
  const ignored = inputTable[name]?.ignored
  if (typeof ignored !== 'object' || effect === 'reads' || text === ignored.idle) return undefined
  return ignored.by === 'changes' || effect === 'creates' ? ignored.what : undefined
}

/** Judges an unused input: a problem if ignoring it could do harm. */
function judge(operation: Operation, name: string, texts: Texts): Partial<Unused> {
  const meant = hint(name, usedBy(operation), texts)
  const harm = harmOfIgnoring(name, texts.get(name) ?? '', operation.effect)
  if (harm === undefined)
    return { warnings: [`the input ${name} is not used by ${operation.name}${meant || ': remove it'}`] }
  const takers = describeTakers(name)
  return { problems: [`${name}: not used by ${operation.name}, and ${harm}: ${takers}${meant}`] }
}

/** Judges an unknown input: a problem if it looks like a known one, since `dry_runn: true` would be a real run. */
function judgeUnknown(name: string, known: Set<string>): Partial<Unused> {
  const hint = suggestionClause(name, known)
  const message = `unknown input "${name}"${hint || ': remove it'}`
  return hint ? { problems: [message] } : { warnings: [message] }
}

/** Inputs without effect because of another one, such as `name_prefix` with the id of a service. */
const besideOthers = ({ name, unusedBeside = {} }: Operation, texts: Texts): string[] =>
  Object.entries(unusedBeside)
    .filter(([other]) => texts.has(other))
    .flatMap(([other, inputs]) =>
      inputs
        .filter(input => texts.has(input))
        .map(input => `the input ${input} is not used by ${name} with ${other}: remove one of them`),
    )

/** The correct names of misspelled ones; all further checks use these. */
function findMeant(unused: string[], known: Set<string>, texts: Texts): Map<string, string> {
  const pairs = unused
    .filter(name => !known.has(name))
    .map(name => ({ name, meant: suggest(name, known) }))
    .filter(({ meant: [only, ...others] }) => only !== undefined && others.length === 0 && !texts.has(only))
  return new Map(pairs.map(({ name, meant: [only = ''] }) => [name, only]))
}

/** Reports all inputs that are set but not used by the operation. */
export function findUnused(operation: Operation, texts: Texts): Unused {
  const used = usedBy(operation)
  const { refused = {} } = operation
  const unused = [...texts.keys()].filter(name => !used.has(name))
  const known = new Set(Object.keys(inputTable))
  const found = unused.map((name): Partial<Unused> => {
    const reason = refused[name]
    // The input would promise something that the operation does not do.
    if (reason !== undefined) return { problems: [`${name}: not for ${operation.name}; ${reason}`] }
    return known.has(name) ? judge(operation, name, texts) : judgeUnknown(name, known)
  })
  return {
    meant: findMeant(unused, known, texts),
    problems: found.flatMap(({ problems = [] }) => problems),
    warnings: [...found.flatMap(({ warnings = [] }) => warnings), ...besideOthers(operation, texts)],
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
  texts: ReadonlyMap<string, string>,
): { texts: Map<string, string>; warnings: string[] } {
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
