/** Reads the files of a folder in the form of GitHub's answers about a commit and a pull request. */
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/** It holds thousands of files, and repositories do not contain it. */
const isIgnored = ({ name }: { name: string }) => name === 'node_modules'

/** All files but hidden ones, relative to the folder. */
function listFiles(folder: string): string[] {
  const entries = globSync('**/*', { cwd: folder, withFileTypes: true, exclude: isIgnored })
  const files = entries.filter(entry => entry.isFile())
  return files.map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll(sep, '/'))
}

/** Git's hash of a file. */
function hashFile(file: string): string {
  const content = readFileSync(file)
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')
}

/** The tree of every commit and branch. */
export function readTree(folder: string) {
  const tree = listFiles(folder).map(path => ({ path, type: 'blob', sha: hashFile(join(folder, path)) }))
  return { truncated: false, tree }
}

/** The changed files of every pull request: all of the folder. */
export const readChangedFiles = (folder: string) => listFiles(folder).map(filename => ({ filename }))
