/** Reads and writes the files of the tree. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Texts } from './published-name.ts'

/** Runs git in the folder and returns its output. */
export function git(root: string, ...parameters: string[]): string {
  return execFileSync('git', parameters, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

/** The tracked files that adopting or releasing may change, by path. */
export function readTexts(root: string): Texts {
  const paths = git(root, 'ls-files', '-z', '--cached')
    .split('\0')
    .filter(path => /\.(?:md|ya?ml|json)$|^\.github\/CODEOWNERS$/.test(path) && !path.startsWith('test/'))
    // An uncommitted adoption has deleted some.
    .filter(path => existsSync(join(root, path)))
  return new Map(paths.map(path => [path, readFileSync(join(root, path), 'utf8')]))
}

/** Writes the texts that changed. */
export function writeTexts(root: string, changed: Texts): void {
  for (const [path, text] of changed) writeFileSync(join(root, path), text)
}
