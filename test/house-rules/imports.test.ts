import { describe, expect, test } from 'vitest'
import { checkImports, findUnreached } from './check-imports.ts'
import { everySource, readSources } from './read-sources.ts'
import { known, type Room, reasons, rooms } from './rooms.ts'

const sources = readSources(everySource)

test('every file imports only what its room may, and no circle closes', () => {
  expect(checkImports(sources, { rooms, known }), 'the table is test/house-rules/rooms.ts').toEqual([])
})

test('what ships is written in TypeScript, in files that are looked at here', () => {
  const isLookedAt = (file: string) => /^(src|emulator|tools|test)\/.*\.ts$/.test(file)
  const others = [...readSources('**/*.{ts,mts,cts}', ['node_modules', 'dist', 'lib']).keys()]
  expect(others.filter(file => !isLookedAt(file))).toEqual(['vitest.config.ts'])
  expect([...readSources('src/**/*.*').keys()].filter(file => !isLookedAt(file))).toEqual([])
})

test('everything in src goes into the bundle', () => {
  // dist/index.js only loads what dist/post.js loads as well.
  const others = [...sources].filter(([file]) => file !== 'src/index.ts')
  expect(findUnreached(new Map(others), 'src/post-entry.ts', 'src')).toEqual([])
})

/** What the check says of files made up for it. */
const check = (files: Record<string, string>, rules: Partial<Parameters<typeof checkImports>[1]> = {}) =>
  checkImports(new Map(Object.entries(files)), { rooms, ...rules })

describe('a file may not import', () => {
  test.each<[what: string, file: string, source: string, problem: string]>([
    [
      "the runner's toolkit, outside src/action/host",
      'src/preview/base/x.ts',
      `\n\nimport * as core from '@actions/core'`,
      `src/preview/base/x.ts:3 imports @actions/core: src/preview/base may import only src/base, src/api, src/client, src/contents/sql, src/contents/rehearsal/result, src/operations, zod/mini, node:crypto beside its own files; only src/action/host knows the runner's toolkit`,
    ],
    [
      "GitHub's API, outside src/github",
      'src/action/x.ts',
      `const github = await import('@actions/github')`,
      "only src/github/ask knows GitHub's API",
    ],
    [
      'PostgreSQL, outside src/postgres',
      'src/operations/x.ts',
      `import type { Client } from 'pg'`,
      'only src/postgres knows PostgreSQL',
    ],
    [
      'a part of undici, outside src/client',
      'src/github/x.ts',
      `import Agent from 'undici/lib/dispatcher/agent.js'`,
      'only src/client/network sends requests',
    ],
    [
      'undici, in the emulator',
      'emulator/http/x.ts',
      `import 'undici'`,
      'emulator/http/x.ts:1 imports undici:',
    ],
    ['files, where only digests are needed', 'src/preview/x.ts', `import 'node:fs'`, 'imports node:fs:'],
    ['a clock, in the store', 'emulator/store/x.ts', `import 'node:perf_hooks'`, 'imports node:perf_hooks:'],
    [
      'the whole of zod',
      'src/api/x.ts',
      `import * as z from 'zod'`,
      'src/api may import only src/api/fields, zod/mini beside',
    ],
    [
      'a higher room',
      'src/client/x.ts',
      `export { run } from '../operations/run.ts'`,
      'src/client/x.ts:1 imports src/operations/run.ts: src/client may import only src/base, src/api, src/client/network beside',
    ],
    [
      'anything, where nothing is named',
      'emulator/data-plane.ts',
      `import '../src/client/retry.ts'`,
      'emulator/data-plane.ts:1 imports src/client/retry.ts: emulator/data-plane.ts may import nothing beside its own files',
    ],
    [
      'a higher room, for its types alone',
      'src/preview/x.ts',
      `type Log = import('../action/host/action-log.ts').Log`,
      'src/preview/x.ts:1 imports src/action/host/action-log.ts:',
    ],
    [
      'the emulator, in what ships',
      'src/action/x.ts',
      `import '../../emulator/main.ts'`,
      'emulator/main.ts:',
    ],
    ['the tools, in what ships', 'src/main.ts', `import '../tools/build/bundle.ts'`, 'imports tools/build/'],
    [
      'the client, in the emulator',
      'emulator/http/x.ts',
      `import '../../src/client/retry.ts'`,
      'src/client/',
    ],
    ['the tests, in a tool', 'tools/bench/x.ts', `import '../../test/support/waiting.ts'`, 'imports test/'],
    ['the entry', 'test/support/x.ts', `import '../../src/index.ts'`, 'imports src/index.ts:'],
    ['a package nobody named', 'tools/build/x.ts', `export * from 'lodash'`, 'imports lodash:'],
    [
      'what it computes at run time',
      'src/action/x.ts',
      'await import(name)',
      'src/action/x.ts:1 imports a module computed at run time:',
    ],
  ])('%s', (_, file, source, problem) => {
    expect(check({ [file]: source })).toEqual([expect.stringContaining(problem)])
  })
})

test.each<[string, Record<string, string>]>([
  [
    'by their types',
    { 'src/api/a.ts': `import type { B } from './b.ts'`, 'src/api/b.ts': `import './a.ts'` },
  ],
  ['by exports', { 'src/api/a.ts': `export * from './b.ts'`, 'src/api/b.ts': `export { a } from './a.ts'` }],
])('files may not import each other in a circle, %s', (_, files) => {
  expect(check(files)).toEqual([
    'src/api/a.ts → src/api/b.ts → src/api/a.ts: a circle; move what both need into a file of its own',
  ])
})

test('a circle of many files is found once, whatever leads into it', () => {
  const files = {
    'src/api/start.ts': `import './one.ts'`,
    'src/api/one.ts': `import './two.ts'; import './end.ts'`,
    'src/api/two.ts': `import './three.ts'; import './end.ts'`,
    'src/api/three.ts': `import './one.ts'`,
    'src/api/end.ts': '',
  }
  expect(check(files)).toEqual([
    expect.stringMatching(/^src\/api\/one\.ts → .*two\.ts → .*three\.ts → src\/api\/one\.ts: a circle/),
  ])
})

test('a known break is let pass, until it is mended', () => {
  const known = [{ file: 'src/api/a.ts', imports: 'src/client/b.ts' }]
  expect(check({ 'src/api/a.ts': `import '../client/b.ts'` }, { known })).toEqual([])
  expect(check({ 'src/api/a.ts': '' }, { known })).toEqual([
    'src/api/a.ts imports src/client/b.ts no longer: take it out of the known breaks',
  ])
})

test.each(['src/utils/x.ts', 'emulator/utils/x.ts'])('a file outside every room is found: %s', file => {
  expect(check({ [file]: '' })).toEqual([
    `${file} stands in no room: name its folder in test/house-rules/rooms.ts`,
  ])
})

test('a circle that a forbidden import closes is not reported as well', () => {
  const files = {
    'src/api/a.ts': `import '../client/b.ts'`,
    'src/client/b.ts': `import '../api/a.ts'`,
  }
  expect(check(files)).toEqual([expect.stringMatching(/^src\/api\/a\.ts:1 imports src\/client\/b\.ts: /)])
})

test('the table itself may not lead upwards', () => {
  const upward: Record<string, Room> = {
    low: { rooms: ['high'], packages: [] },
    high: { rooms: ['low', 'lost'], packages: [] },
  }
  expect(check({}, { rooms: upward })).toEqual([
    'the table lets low import high, which does not stand above it',
    'the table lets high import lost, which does not stand above it',
  ])
})

test.each(Object.entries(reasons))('%s stays with one room of src', (name, reason) => {
  const open = Object.keys(rooms).filter(
    room => room.startsWith('src/') && rooms[room]?.packages.includes(name),
  )
  expect(open).toHaveLength(1)
  expect(reason).toContain(`only ${open[0]} `)
})

test('a file that nothing imports is found', () => {
  const files = {
    'src/index.ts': `import type { A } from './api/a.ts'`,
    'src/api/a.ts': '',
    'src/api/dead.ts': `import './a.ts'`,
    'emulator/main.ts': '',
  }
  expect(findUnreached(new Map(Object.entries(files)), 'src/index.ts', 'src')).toEqual([
    'src/api/dead.ts is not reached from src/index.ts: nothing in src may stay out of the bundle',
  ])
})
