import { globSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, posix, relative } from 'node:path'
import { ActionError } from '../../base/errors.ts'
import type { SqlFile } from './sql-error.ts'

/** A file of SQL is not there, or is no text. */
export class SqlFileError extends ActionError {}

/** How many names a message shows. */
const mostNamed = 8

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** What is where a pattern looks: in the folder that it names, or that is before its first sign that stands for others. */
function describeWhatIsThere(workspace: string, pattern: string): string {
  let folder = pattern.replace(/[*?[{].*$/s, 'x')
  while (folder !== '.' && !isFolder(join(workspace, folder))) folder = dirname(folder)
  const names = readdirSync(join(workspace, folder)).sort()
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : ''
  const where = folder === '.' ? 'the workspace' : folder
  return names.length === 0
    ? `${where} is empty`
    : `in ${where} there is ${names.slice(0, mostNamed).join(', ')}${more}`
}

/** What to write in place of a path that could never fit. */
function adviceFor(workspace: string, pattern: string): string | undefined {
  if (isAbsolute(pattern)) return 'write the path from the root of the repository, like db/*.sql'
  const isWithin = !pattern.split(/[\\/]/).includes('..')
  return isWithin && isFolder(join(workspace, pattern)) ? `write ${posix.join(pattern, '*.sql')}` : undefined
}

function findFiles(workspace: string, pattern: string, input: string): string[] {
  const isOutside = isAbsolute(pattern) || pattern.split(/[\\/]/).includes('..')
  const found = isOutside ? [] : globSync(pattern, { cwd: workspace })
  const files = found.filter(path => !isFolder(join(workspace, path))).map(path => path.replaceAll('\\', '/'))
  if (files.length > 0) return files.sort()
  const why = isOutside ? 'only files below the workspace are read' : describeWhatIsThere(workspace, pattern)
  throw new SqlFileError(
    `${input}: no file fits ${pattern}; ${why}`,
    adviceFor(workspace, pattern) ??
      'correct the path, and check out the repository in a step before this one (actions/checkout)',
  )
}

/** The text of a file, without the mark that some editors put at its beginning. */
function readText(workspace: string, name: string, input: string): string {
  const real = realpathSync(join(workspace, name))
  // A link in a repository may lead anywhere, and an error of the server shows what it led to.
  if (relative(realpathSync(workspace), real).startsWith('..'))
    throw new SqlFileError(
      `${input}: ${name} is a link to a file outside of the workspace`,
      'put the file itself into the repository',
    )
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(real))
    if (!text.includes('\0')) return text
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause
  }
  throw new SqlFileError(`${input}: ${name} is not text in UTF-8`, 'save it as UTF-8')
}

/**
 * Reads the files that the patterns of an input name below a folder, in the order of the patterns and then of the names,
 * each once.
 *
 * @throws SqlFileError where a pattern fits none, or a file is no text
 */
export function readSqlFiles(workspace: string, patterns: string[], input: string): SqlFile[] {
  const names = new Set(patterns.flatMap(pattern => findFiles(workspace, pattern, input)))
  return [...names].map(name => ({ name, path: name, text: readText(workspace, name, input) }))
}
