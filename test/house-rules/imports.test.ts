/** Tests that every file imports only the layers below its own and the packages open to it, and that no circle closes. */
import { describe, expect, test } from 'vitest'
import { checkImports, findUnreached, layerOf } from './check-imports.ts'
import { known, parts } from './layers.ts'
import { packages } from './packages.ts'
import { everySource, readSources } from './read-sources.ts'

const sources = readSources(everySource)

test('every file imports only layers below its own and packages open to it, and no circle closes', () => {
  expect(checkImports(sources, known), 'the tables are in test/house-rules').toEqual([])
})

test('each layer holds files', () => {
  const used = new Set([...sources.keys()].map(file => layerOf(file)?.name))
  const layers = parts.flatMap(({ layers }) => layers.flat())
  expect(layers.filter(name => !used.has(name))).toEqual([])
})

test('the shipped code is TypeScript, in files that these tests check, and one file of data', () => {
  const isLookedAt = (file: string) => /^(src|emulator|tools|test)\/.*\.ts$/.test(file)
  const others = [...readSources('**/*.{ts,mts,cts}', ['node_modules', 'dist', 'lib']).keys()]
  expect(others.filter(file => !isLookedAt(file))).toEqual(['vitest.config.ts'])
  const data = ['src/contents/masking/propose/dictionary.yml']
  expect([...readSources('src/**/*.*').keys()].filter(file => !isLookedAt(file))).toEqual(data)
})

test('everything in src goes into the bundle', () => {
  // dist/index.js loads only modules that dist/post.js loads as well.
  const others = [...sources].filter(([file]) => file !== 'src/index.ts')
  expect(findUnreached(new Map(others), 'src/post-entry.ts', 'src')).toEqual([])
})

/** The verdict of the check on made-up files. */
const check = (files: Record<string, string>, breaks?: typeof known) =>
  checkImports(new Map(Object.entries(files)), breaks)

describe('a file may not import', () => {
  test.each<[what: string, file: string, source: string, problem: string]>([
    [
      "the runner's toolkit, outside src/action/host",
      'src/preview/base/x.ts',
      `\n\nimport * as core from '@actions/core'`,
      'src/preview/base/x.ts:3 imports @actions/core: only src/action/host may',
    ],
    [
      "GitHub's API, outside src/github",
      'src/action/x.ts',
      `const github = await import('@actions/github')`,
      'only src/github/ask may',
    ],
    [
      'PostgreSQL, outside src/postgres',
      'src/operations/x.ts',
      `import type { Client } from 'pg'`,
      'imports pg: only src/postgres, ',
    ],
    [
      'a part of undici, outside src/client',
      'src/github/x.ts',
      `import Agent from 'undici/lib/dispatcher/agent.js'`,
      'only src/client/network may',
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
      'src/api/x.ts:1 imports zod: no layer may',
    ],
    [
      'a higher layer',
      'src/client/x.ts',
      `export { run } from '../operations/run.ts'`,
      'src/client/x.ts:1 imports src/operations/run.ts: src/operations is no layer below src/client',
    ],
    [
      'a lower room, by a relative path',
      'src/client/x.ts',
      `import '../base/poll.ts'`,
      'src/client/x.ts:1 imports src/base/poll.ts: write #base/poll',
    ],
    [
      'a neighbor',
      'src/contents/quarantine/x.ts',
      `import '../schema/schema.ts'`,
      'src/contents/schema is no layer below src/contents/quarantine',
    ],
    [
      'a higher layer, for its types alone',
      'src/preview/x.ts',
      `type Log = import('../action/host/edge.ts').Log`,
      'src/preview/x.ts:1 imports src/action/host/edge.ts:',
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

test('a circle of many files is found once, from any entry', () => {
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
  const breaks = [{ file: 'src/api/a.ts', imports: 'src/client/b.ts' }]
  expect(check({ 'src/api/a.ts': `import '../client/b.ts'` }, breaks)).toEqual([])
  expect(check({ 'src/api/a.ts': '' }, breaks)).toEqual([
    'src/api/a.ts imports src/client/b.ts no longer: take it out of the known breaks',
  ])
})

test.each(['src/utils/x.ts', 'emulator/utils/x.ts'])('a file outside every layer is found: %s', file => {
  expect(check({ [file]: '' })).toEqual([
    `${file} stands in no layer: name its folder in test/house-rules/layers.ts`,
  ])
})

test('a circle that a forbidden import closes is not reported as well', () => {
  const files = {
    'src/api/a.ts': `import '../client/b.ts'`,
    'src/client/b.ts': `import '#api/a'`,
  }
  expect(check(files)).toEqual([expect.stringMatching(/^src\/api\/a\.ts:1 imports src\/client\/b\.ts: /)])
})

test.each(['@actions/core', '@actions/github', 'pg', 'undici', 'yaml'])(
  '%s stays with one layer of src',
  name => {
    expect(packages[name]?.filter(layer => layer.startsWith('src'))).toHaveLength(1)
  },
)

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
