/** Parses a file of masking rules, and reports each problem with its place. */
import { cap } from '#base/bytes'
import { ListError } from '#base/errors'
import { suggestionClause } from '#base/suggest'
import type { Place, SqlFile } from '#contents/sql/sql-error'
import { orderPaths } from './json.ts'
import { type Entry, type Node, readYaml, YamlError } from './read-yaml.ts'
import {
  askForArgument,
  expectedRules,
  isArgument,
  jsonRules,
  kinds,
  kindsWithArgument,
  kindsWithoutArgument,
  type Rule,
} from './rules.ts'

export interface ColumnRule {
  column: string
  rule: Rule
  place: Place
  /** The column may be missing. */
  isOptional: boolean
}

/** The rules of a table, or of the tables with this name in the schemas that match a pattern. */
export interface TableRules {
  /** May contain `*`. */
  schema: string
  table: string
  place: Place
  /** The table may be missing. */
  isOptional: boolean
  dropRows: boolean
  /** A number with a unit of time, or in the unit of an integer time column. */
  newerThan?: string | undefined
  columns: ColumnRule[]
}

export interface MaskFile {
  file: SqlFile
  tables: TableRules[]
}

export interface Problem {
  /** Undefined for a column without a rule. */
  place?: Place | undefined
  message: string
  /** The id of the table, if its rules cannot be tried on rows. */
  table?: string
  /** The column without a rule, as `schema.table.column`. */
  unruled?: string
}

/** The most problems in a message. */
const mostNamed = 100

export class MaskFileError extends ListError {
  constructor({ name, path }: SqlFile, problems: Problem[], next: string) {
    const named = problems.map(({ place, message }) =>
      place ? `${name}:${place.line}:${place.column}: ${message}` : message,
    )
    super('', cap(named, mostNamed), next)
    const place = problems[0]?.place
    if (path !== undefined && place) this.place = { file: path, ...place }
  }
}

/** Splits `schema.table`, with or without double quotes, as in SQL. */
function parseTableName(text: string): [string, string] | undefined {
  const [, schema, table] = /^("(?:[^"]|"")+"|[^".]+)\.("(?:[^"]|"")+"|[^".]+)$/.exec(text) ?? []
  if (schema === undefined || table === undefined) return undefined
  const unquote = (part: string) => (part.startsWith('"') ? part.slice(1, -1).replaceAll('""', '"') : part)
  return [unquote(schema), unquote(table)]
}

/** A name followed by `?` may be missing in the database: `phone?: phone`. In quotes, the mark is a part of the name. */
function parseMark({ text, isPlain }: Entry['key']): { name: string; isOptional: boolean } {
  const isOptional = isPlain === true && text.endsWith('?')
  return { name: isOptional ? text.slice(0, -1) : text, isOptional }
}

/** Parses a rule without paths. Returns an error message for an invalid rule. */
function parseSimpleRule({ text, isPlain, entries = [] }: Node): Rule | string {
  if (text !== undefined) {
    const word = text === '~' && isPlain ? 'null' : text
    const kind = kinds.find(kind => kind === word)
    if (kind !== undefined) return kindsWithoutArgument.includes(kind) ? { kind } : askForArgument(kind)
    if (text === 'drop_rows') return 'drop_rows is a rule for a table, not for a column'
    return text === ''
      ? `no rule; expected ${expectedRules}`
      : `${text} is not a rule${suggestionClause(text, kinds)}; expected ${expectedRules}`
  }
  const [entry, ...others] = entries
  const kind = kindsWithArgument.find(name => name === entry?.key.text)
  const argument = entry?.value.text
  if (others.length > 0 || argument === undefined || kind === undefined) return `expected ${expectedRules}`
  if (!isArgument(kind, argument)) return askForArgument(kind)
  return { kind, argument }
}

/** Parses the rules for parts of JSON. They must include `*`, because each value needs a rule. */
function parsePaths(entries: readonly Entry[]): Rule | string {
  const paths: (Rule & { path: string })[] = []
  for (const { key, value } of entries) {
    const rule = parseSimpleRule(value)
    if (typeof rule === 'string') return `${key.text}: ${rule}`
    if (!jsonRules.includes(rule.kind))
      return `${key.text}: ${rule.kind} is not a rule for a part of JSON; expected one of ${jsonRules.join(', ')}`
    paths.push({ path: key.text, ...rule })
  }
  if (!paths.some(({ path }) => path === '*' || path === '**'))
    return 'json needs a rule for all other paths: add "*": text'
  return { kind: 'json', paths: orderPaths(paths) }
}

function parseRule(node: Node): Rule | string {
  const [entry, ...others] = node.entries ?? []
  return entry?.key.text === 'json' && entry.value.entries && others.length === 0
    ? parsePaths(entry.value.entries)
    : parseSimpleRule(node)
}

/** `90 days`, or `1000000` for a time column of integers. */
const windowPattern = /^[1-9]\d{0,17}(?: (?:hour|day|week|month|year)s?)?$/

type Report = (place: Place, message: string) => void

/** Reports names that differ only in the mark `?`. Keys that are equal as texts are an error of YAML. */
function reportDuplicates(entries: readonly Entry[], report: Report): void {
  const names = new Set<string>()
  for (const { key } of entries) {
    const { name } = parseMark(key)
    if (names.has(name)) report(key.place, `${name} is a duplicate`)
    names.add(name)
  }
}

function parseTable({ key, value }: Entry, report: Report): TableRules[] {
  const { text, place } = key
  const { name, isOptional } = parseMark(key)
  const [schema, table] = parseTableName(name) ?? []
  if (schema === undefined || table === undefined) {
    report(place, `${text} is not a table; expected schema.table, like public.people`)
    return []
  }
  const rules: TableRules = {
    schema,
    table,
    place,
    isOptional,
    dropRows: value.text === 'drop_rows',
    columns: [],
  }
  if (value.entries === undefined && !rules.dropRows) {
    report(place, `${text}: expected drop_rows, or a rule for each column`)
    return []
  }
  reportDuplicates(value.entries ?? [], report)
  for (const { key: column, value: node } of value.entries ?? []) {
    // A column may have this name. The rules for columns start with a letter.
    if (column.text === 'newer_than' && /^\W*\d/.test(node.text ?? '')) {
      if (windowPattern.test(node.text ?? '')) rules.newerThan = node.text
      else report(node.place, `${text}: newer_than: expected a length of time, like 90 days`)
      continue
    }
    const rule = parseRule(node)
    if (typeof rule === 'string') report(node.place, `${text}.${column.text}: ${rule}`)
    else {
      const { name: columnName, isOptional: isOptionalColumn } = parseMark(column)
      rules.columns.push({ column: columnName, rule, place: column.place, isOptional: isOptionalColumn })
    }
  }
  return [rules]
}

/** @throws MaskFileError naming each problem with its place */
export function parseMaskFile(file: SqlFile): MaskFile {
  const problems: Problem[] = []
  let tables: TableRules[] = []
  try {
    const { entries, place } = readYaml(file.text)
    const report: Report = (place, message) => problems.push({ place, message })
    if (entries === undefined)
      report(place, 'expected a mapping of tables to rules, like `public.people: { email: email }`')
    reportDuplicates(entries ?? [], report)
    tables = (entries ?? []).flatMap(entry => parseTable(entry, report))
  } catch (error) {
    if (!(error instanceof YamlError)) throw error
    problems.push({ place: error.place, message: error.message })
  }
  if (problems.length > 0)
    throw new MaskFileError(file, problems, 'correct the file; docs/masking.md has all rules')
  return { file, tables }
}
