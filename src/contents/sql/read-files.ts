/** Reads the files of the workspace that an input names, and refuses files outside of it. */
import { isUtf8 } from 'node:buffer'
import {
  closeSync,
  constants,
  fstatSync,
  globSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { dirname, isAbsolute, join, type PlatformPath, posix, relative, sep } from 'node:path'
import { cap, renderBytes } from '#base/bytes'
import { ActionError, codeOf } from '#base/errors'
import type { SqlFile } from './sql-error.ts'

/** Bytes. A file is read into memory, and the longest string of Node.js has 512 MiB. */
const mostBytes = 256 * 1024 * 1024

/** Undefined after an error, such as that of a link that leads nowhere or to itself. */
function orUndefined<Result>(act: () => Result): Result | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}

const isFolder = (path: string) => orUndefined(() => statSync(path).isDirectory()) === true

/** True if a path is inside a folder, or the folder itself. */
export function isBelow(
  folder: string,
  path: string,
  system: Pick<PlatformPath, 'relative' | 'isAbsolute' | 'sep'> = { relative, isAbsolute, sep },
): boolean {
  const steps = system.relative(folder, path)
  // On Windows `relative` returns an absolute path for another drive.
  return !system.isAbsolute(steps) && steps !== '..' && !steps.startsWith(`..${system.sep}`)
}

/** A link in a repository can lead anywhere, and messages show names and parts of files. Names only the link. */
function refuseOutside(workspace: string, path: string, input: string): void {
  const root = realpathSync(workspace)
  const parts = path.split('/')
  for (let count = 1; count <= parts.length; count++) {
    const name = parts.slice(0, count).join('/')
    const real = orUndefined(() => realpathSync(join(workspace, name)))
    if (real === undefined || isBelow(root, real)) continue
    throw new ActionError(
      `${input}: ${name} is a link to a ${isFolder(real) ? 'folder' : 'file'} outside of the workspace`,
      'put the file itself into the repository',
    )
  }
}

/** The deepest folder that a pattern names before its first wildcard. */
function folderOf(workspace: string, pattern: string): string {
  let folder = pattern.replaceAll('\\', '/').replace(/[*?[{].*$/s, 'x')
  while (folder !== '.' && !isFolder(join(workspace, folder))) folder = dirname(folder)
  return folder
}

/** The files in the folder of a pattern that matches none: `db contains 001.sql, 002.sql`. */
function describeFolder(workspace: string, pattern: string): string {
  const folder = folderOf(workspace, pattern)
  const names = readdirSync(join(workspace, folder)).sort()
  const where = folder === '.' ? 'the workspace' : folder
  if (names.length === 0) return `${where} is empty`
  return `${where} contains ${cap(names, 8).join(', ')}`
}

const isOutside = (pattern: string) => isAbsolute(pattern) || pattern.split(/[\\/]/).includes('..')

function explainMismatch(workspace: string, pattern: string, input: string): [problem: string, next: string] {
  if (isOutside(pattern))
    return [
      `no file matches ${pattern}; only files below the workspace are read`,
      'write the path from the root of the repository, like db/*.sql',
    ]
  const contents = describeFolder(workspace, pattern)
  if (isFolder(join(workspace, pattern)))
    return [
      `${pattern} is a folder; ${contents}`,
      input === 'mask_file' ? 'write the path of one file' : `write ${posix.join(pattern, '*.sql')}`,
    ]
  const isWorkspaceEmpty = readdirSync(workspace).length === 0
  return [
    `no file matches ${pattern}; ${contents}`,
    isWorkspaceEmpty
      ? 'check out the repository in a step before this one (actions/checkout)'
      : 'correct the path',
  ]
}

function findFiles(workspace: string, pattern: string, input: string): string[] {
  if (!isOutside(pattern)) refuseOutside(workspace, folderOf(workspace, pattern), input)
  const matches = isOutside(pattern) ? [] : globSync(pattern, { cwd: workspace })
  const files = matches
    .filter(path => !isFolder(join(workspace, path)))
    .map(path => path.replaceAll('\\', '/'))
  if (files.length > 0) return files.sort()
  const [problem, next] = explainMismatch(workspace, pattern, input)
  throw new ActionError(`${input}: ${problem}`, next)
}

/** Never opens a pipe for reading: that would block until a process writes to it. */
function readBytes(path: string, input: string, name: string): Buffer {
  // `O_NONBLOCK` is missing on Windows.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const stats = fstatSync(file)
    const { size } = stats
    if (!stats.isFile()) throw new ActionError(`${input}: ${name} is not a regular file`, 'name a text file')
    if (size > mostBytes)
      throw new ActionError(
        `${input}: ${name} has ${renderBytes(size)}, and files of up to ${renderBytes(mostBytes)} are read`,
        'split the file, or load it with psql in a step of your own',
      )
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}

function readText(workspace: string, name: string, input: string): string {
  refuseOutside(workspace, name, input)
  let bytes: Buffer
  try {
    bytes = readBytes(join(workspace, name), input, name)
  } catch (cause) {
    if (cause instanceof ActionError) throw cause
    const code = codeOf(cause) || 'unknown'
    const problem = code === 'ENOENT' ? 'is a link to a missing file' : `cannot be read (${code})`
    throw new ActionError(`${input}: ${name} ${problem}`, 'correct the file or the link', { cause })
  }
  if (!isUtf8(bytes) || bytes.includes(0))
    throw new ActionError(`${input}: ${name} is not text in UTF-8`, 'save it as UTF-8')
  // The decoder also removes a byte order mark.
  return new TextDecoder().decode(bytes)
}

/** Each matching file once, by pattern and name. @throws ActionError if a pattern matches none, or one is not text */
export function readSqlFiles(workspace: string, patterns: string[], input: string): SqlFile[] {
  const names = new Set(patterns.flatMap(pattern => findFiles(workspace, pattern, input)))
  return [...names].map(name => ({ name, path: name, text: readText(workspace, name, input) }))
}
