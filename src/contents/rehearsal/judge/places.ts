/** Finds the file and line of each statement, and the comments that ignore findings. */
import { placeOf, type Statement, trySplit } from '#contents/sql/split-statements'
import type { SqlFile } from '#contents/sql/sql-error'
import { readTokens } from '#contents/sql/token'
import { essenceOf } from '../result/statement-text.ts'
import type { StatementPlace } from '../result/stored.ts'

/** A comment can ignore locks, rewrites and WAL. It can never ignore a loss of data. */
const ignorables = ['lock', 'rewrite', 'wal'] as const
export type Ignorable = (typeof ignorables)[number]

/** The reason to ignore each kind of finding. */
export type Ignores = Partial<Record<Ignorable, string>>

/** The place of a statement in its file, and the reasons in its comments. */
interface SourceStatement {
  place?: StatementPlace
  ignores: Ignores
}

const ignoreComment = /^--\s*managed-database:\s*ignore\s+(\w+)\s+because\s+(\S.*)$/i

/** Matches malformed comments too, so that the step can warn of them. */
const similarComment = /^--\s*man\w*[-_ ]database\b/i

/** The reasons in the comments of SQL text, and the offsets of malformed comments. */
function readIgnores(sql: string): { ignores: Ignores; malformed: number[] } {
  const ignores: Ignores = {}
  const malformed: number[] = []
  for (const { kind, at, text } of readTokens(sql)) {
    const comment = kind === 'blank' ? text.trim() : ''
    const [, word, reason] = ignoreComment.exec(comment) ?? []
    const ignored = ignorables.find(ignorable => ignorable === word?.toLowerCase())
    if (ignored && reason) ignores[ignored] = reason.trim()
    else if (similarComment.test(comment)) malformed.push(at)
  }
  return { ignores, malformed }
}

/** The end of a statement, with a comment after it on its last line. */
function endWithComment(text: string, { offset, text: own }: Statement): number {
  const end = offset + own.length
  const line = text.indexOf('\n', end)
  const rest = text.slice(end, line < 0 ? text.length : line)
  return /^\s*(?:;\s*)?(?:--.*)?$/.test(rest) ? end + rest.length : end
}

/** Reads the statements in the files of a repository, with their comments. */
export function readPlaces(files: readonly SqlFile[]) {
  /** Malformed comments that look like a request to ignore a finding. */
  const malformed: StatementPlace[] = []
  const written = new Map<string, SourceStatement>()
  for (const source of files) {
    const { text, name, path: file = name } = source
    let before = 0
    // A file with commands of psql cannot be split, so it has no places.
    for (const statement of trySplit(source) ?? []) {
      const end = endWithComment(text, statement)
      const read = readIgnores(text.slice(before, end))
      for (const at of read.malformed) malformed.push({ file, line: placeOf(text, before + at).line })
      // If many files contain the same statement, the last file is the newest.
      const place = { file, line: statement.line }
      written.set(essenceOf(statement.text), { place, ignores: read.ignores })
      before = end
    }
  }
  return {
    malformed,
    /** The place and comments of SQL as the client sent it, which may contain several statements. */
    find(sql: string): SourceStatement {
      const { ignores } = readIgnores(sql)
      let found = written.get(essenceOf(sql))
      if (found === undefined) {
        const [first] = trySplit({ name: 'sql', text: sql }) ?? []
        found = first && written.get(essenceOf(first.text))
      }
      return { ...found, ignores: { ...found?.ignores, ...ignores } }
    },
  }
}
