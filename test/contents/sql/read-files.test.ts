/** Tests which files of a workspace are read, and which are refused. */
import { execFileSync } from 'node:child_process'
import { symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join, win32 } from 'node:path'
import { expect, it, test } from 'vitest'
import { isBelow, readSqlFiles } from '#contents/sql/read-files'
import { useWorkspace } from '../../support/workspace.ts'

const { path: folder, write, empty } = useWorkspace()

/** A workspace beside a folder with a file whose name must stay hidden. */
function openWorkspace() {
  empty()
  write({ 'repository/README': '', 'elsewhere/hush.sql': 'select 1' })
  const workspace = join(folder, 'repository')
  return { workspace, at: (name: string) => join(workspace, name) }
}

const unlessWindows = it.skipIf(process.platform === 'win32')

test.each<[string, (at: (name: string) => string) => void, string]>([
  ['a link to nothing', at => symlinkSync('gone.sql', at('a.sql')), 'a.sql is a link to a missing file'],
  ['a link to itself', at => symlinkSync('a.sql', at('a.sql')), 'a.sql cannot be read (ELOOP)'],
  [
    'a link out of the workspace',
    at => symlinkSync('../elsewhere/hush.sql', at('a.sql')),
    'a.sql is a link to a file outside of the workspace',
  ],
  [
    'a file of 3 GB',
    at => {
      writeFileSync(at('a.sql'), '')
      truncateSync(at('a.sql'), 3 * 1024 ** 3)
    },
    'a.sql has 3.0 GB, and files of up to 256 MB are read',
  ],
])('refuses %s with an explanation', (_, prepare, message) => {
  const { workspace, at } = openWorkspace()
  prepare(at)
  expect(() => readSqlFiles(workspace, ['*.sql'], 'sql_file')).toThrow(`sql_file: ${message}`)
})

it.each(['link/*.sql', 'link/hush.sql', 'link/no.sql', 'link'])(
  'refuses %s behind a link to an outside folder, and shows no name in it',
  pattern => {
    const { workspace, at } = openWorkspace()
    symlinkSync('../elsewhere', at('link'))
    expect(() => readSqlFiles(workspace, [pattern], 'seed_file')).toThrow(
      /^seed_file: link is a link to a folder outside of the workspace$/,
    )
  },
)

unlessWindows('refuses a pipe, which would block the step', () => {
  const { workspace, at } = openWorkspace()
  execFileSync('mkfifo', [at('a.sql')])
  expect(() => readSqlFiles(workspace, ['a.sql'], 'mask_file')).toThrow(
    'mask_file: a.sql is not a regular file',
  )
})

it('reads a link to a file of the workspace', () => {
  const { workspace, at } = openWorkspace()
  writeFileSync(at('..a.txt'), 'select 1')
  symlinkSync('..a.txt', at('a.sql'))
  expect(readSqlFiles(workspace, ['*.sql'], 'sql_file')).toMatchObject([{ name: 'a.sql', text: 'select 1' }])
})

test.each([
  ['C:\\work\\a.sql', true],
  ['C:\\work\\..a\\b.sql', true],
  ['C:\\elsewhere\\a.sql', false],
  ['C:\\', false],
  ['D:\\a.sql', false],
  ['\\\\server\\share\\a.sql', false],
])('on Windows %s is below C:\\work: %s', (path, expected) => {
  expect(isBelow('C:\\work', path, win32)).toBe(expected)
})
