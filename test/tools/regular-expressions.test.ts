/** Tests the duration of every regular expression on hostile texts. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, describe, expect, it, onTestFailed, test } from 'vitest'
import { findImports } from '../support/find-imports.ts'
import { lineAt, visitSource } from '../support/parse-source.ts'

/** A regular expression literal of the source. */
interface FoundExpression {
  /** Relative to the root of the repository. */
  file: string
  line: number
  expression: RegExp
}

const root = join(import.meta.dirname, '../..')

/** All regular expression literals of a source text. */
function findExpressions(file: string, source: string): FoundExpression[] {
  const found: FoundExpression[] = []
  visitSource(source, {
    Literal(node) {
      if (!('regex' in node)) return
      const expression = new RegExp(node.regex.pattern, node.regex.flags)
      found.push({ file, line: lineAt(source, node.start), expression })
    },
  })
  return found
}

/** The sources that one of them imports, directly or not, itself included. */
function readSources(entry: string, sources = new Map<string, string>()): Map<string, string> {
  if (sources.has(entry)) return sources
  const source = readFileSync(entry, 'utf8')
  sources.set(entry, source)
  for (const { specifier } of findImports(source)) {
    if (specifier?.startsWith('.')) readSources(join(dirname(entry), specifier), sources)
    // An alias (package.json, `imports`).
    if (specifier?.startsWith('#')) readSources(join(root, `src/${specifier.slice(1)}.ts`), sources)
  }
  return sources
}

/** All regular expression literals of the sources that go into dist. */
function findBundledExpressions(): FoundExpression[] {
  const sources = readSources(join(root, 'src/index.ts'))
  return [...sources].flatMap(([file, source]) => findExpressions(relative(root, file), source))
}

describe('the expressions of a source', () => {
  const found = (source: string) =>
    findExpressions('a.ts', source).map(({ expression }) => String(expression))

  test.each<[string, string[]]>([
    ['const a = /x+/g', ['/x+/g']],
    ['f(/a/, /[/]/u)', ['/a/', '/[/]/u']],
    ['const half = a / 2 / b', []],
    ['const half = f(a) / g[0] / 2', []],
    ['// /a/\n/* /b/ */ a', []],
    ['\'/a/\' + "/b/" + `/c/`', []],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source of one
    ['`${a.replace(/x/, `${{ b: /y/ }}`)} /z/ ${1 / 2}` + /w/', ['/x/', '/y/', '/w/']],
    ['if (a) { b() }\nconst c = !/d/.test(e)', ['/d/']],
    ['const f = () => /=/', ['/=/']],
  ])('%j are found', (source, expected) => {
    expect(found(source)).toEqual(expected)
  })

  it('have their line numbers', () => {
    expect(findExpressions('a.ts', '\n\nconst a = /x/\n')).toEqual([
      { file: 'a.ts', line: 3, expression: /x/ },
    ])
  })
})

const bundled = findBundledExpressions()

it('all sources of dist are checked, and no others', () => {
  const folders = [...new Set(bundled.map(({ file }) => file.split('/')[1]))]
  expect(folders).toEqual(
    expect.arrayContaining(['action', 'api', 'client', 'github', 'postgres', 'preview']),
  )
  for (const folder of ['emulator', 'development']) expect(folders).not.toContain(folder)
  expect(bundled.length).toBeGreaterThan(40)
})

// Each is through in half a second: one that goes back and forth takes minutes.
describe('64 KiB of each hostile text match quickly', { timeout: 20_000 }, () => {
  let worker: Worker | undefined
  // An expression that hangs takes its thread with it, not the test run.
  const stop = async () => {
    await worker?.terminate()
    worker = undefined
  }
  afterAll(stop)

  test.each(bundled.map(({ file, line, expression }) => [`${file}:${line}`, expression] as const))(
    '%s %s',
    async (_, expression) => {
      onTestFailed(stop)
      worker ??= new Worker(resolve(import.meta.dirname, '../support/expression-worker.ts'))
      worker.postMessage(expression)
      const [texts] = await once(worker, 'message')
      expect(texts).toBeGreaterThan(5)
    },
  )
})
