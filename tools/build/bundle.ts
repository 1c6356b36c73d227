/**
 * Builds `dist/`. With `--check` it reports whether the committed `dist/` equals a fresh build, byte for byte; with
 * `--readable <folder>` it writes the unminified code there.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, matchesGlob, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import ncc from '@vercel/ncc'
import { minifySync } from 'rolldown/utils'
import { CompileError, compile } from './compile.ts'
import { findPartNames } from './part-names.ts'
import { dataFiles, entries, hashesFile, hashSources } from './stale-dist.ts'

const root = resolve(import.meta.dirname, '../..')
const committed = join(root, 'dist')
const licensesFile = 'licenses.txt'

/** The files of `dist/` that each file loads. */
const loaded = {
  './run.js': './run.js',
  '../llhttp/constants.js': './llhttp-constants.js',
  '../llhttp/llhttp-wasm.js': './llhttp.js',
  '@actions/github': './octokit.js',
  '@actions/http-client': './no-network.js',
  '@octokit/plugin-paginate-rest': './no-network.js',
  '@octokit/plugin-rest-endpoint-methods': './no-network.js',
  pg: './pg.js',
  yaml: './yaml.js',
}

/**
 * Modules that packages import but no step uses: a module of Node.js replaces them. The measurements are the medians of
 * fork-service, alternately with and without the module, in milliseconds of processor time, and the bytes of `dist`.
 * The bundler reads a name between slashes as a regular expression.
 */
const neverUsed = [
  // undici's HTTP/2: 14 ms.
  './client-h2.js',
  // undici's experimental parser: 3 ms and 167 KB.
  './parser-h1.js',
  // undici's index, which @actions/github imports: 394 KB.
  'undici',
  // Together 126 KB: the bodies of undici's fetch, SOCKS proxies (which are refused), and the SIMD form of its parser
  // (without it undici takes the other form, which runs everywhere).
  ...['../web/fetch/body.js', '../web/fetch/formdata', '../web/webidl'],
  ...['./socks5-proxy-agent', '../llhttp/llhttp_simd-wasm.js'],
  // undici takes a limit and a type from node:http. Inconclusive: two runs measured 6.3 and 0.6 ms.
  'node:http',
  // @actions/core's OIDC client, summaries and platform facts: 2 to 4 ms and 6 KB. They load child_process and a second
  // network client, which test/tools/budget.test.ts forbids.
  ...['./oidc-utils.js', './summary.js', './platform.js'],
  // Octokit reads answers with these two, but the action only builds requests with it: 12 KB.
  ...['json-with-bigint', 'content-type'],
  // Together 30 KB: the parts of yaml that write, and its types of values other than text.
  ...['/\\/stringify\\/stringify/', './addPairToJSMap.js', './cst-scalar.js', './cst-visit.js'],
  ...['/^\\.\\/(core|json|yaml-1\\.1)\\//', '/\\/(anchors|applyReviver|createNode|visit)\\.js$/'],
  // The action passes the parts of a connection string to the driver: 3 KB.
  'pg-connection-string',
  // Not for time or size: the driver would read a file of passwords, but the action takes passwords only from its
  // inputs.
  'pgpass',
]

const externals = { ...loaded, ...Object.fromEntries(neverUsed.map(name => [name, 'node:path'])) }

/** Minifies. The names of classes would add 6 KB and those of functions 45 KB, and only debug logs would show them. */
function minify(file: string, code: string): string {
  const { code: minified, errors } = minifySync(file, code, { codegen: { legalComments: 'none' } })
  if (errors.length > 0) throw new Error(`${file} cannot be minified: ${errors[0]?.message}`)
  // One character beyond Latin 1 would double V8's memory for the whole source, and slow down its parser.
  return minified.replace(/[^\0-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** The longest list of licenses, followed by those that it does not contain. */
function joinTerms(terms: string[]): string {
  const [longest = '', ...others] = terms.sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
  return [longest, ...new Set(others.filter(list => !longest.includes(list.trim())))].join('\n')
}

async function build(target: string, isReadable: boolean): Promise<void> {
  compile(root)
  let licenses = ''
  for (const [file, entry] of Object.entries(entries)) {
    const { code, assets } = await ncc(join(root, entry), {
      cache: false,
      esm: false,
      externals,
      filename: file,
      license: `[id].${licensesFile}`,
      quiet: true,
    })
    const texts = Object.entries(assets).map(([name, { source }]) => [name, `${source}`] as const)
    // An `import()` loads a part, like 123.run.js. ncc lists the licences of each part by itself.
    const parts = texts.filter(([name]) => name.endsWith(`.${file}`))
    const terms = texts.filter(([name]) => name.endsWith(`.${licensesFile}`)).map(([, text]) => text)
    // The bundler writes the files that the code reads next to the code.
    const data = texts.filter(([name]) => matchesGlob(name, dataFiles))
    for (const [name, text] of data) writeFileSync(join(target, name), text, { flag: 'wx' })
    const unexpected = texts.length - parts.length - terms.length - data.length
    if (unexpected > 0) throw new Error(`${file} would need ${Object.keys(assets)}`)
    const names = findPartNames([code, ...parts.map(([, text]) => text)].join('\n'))
    const mainCode = code.replace(`"" + chunkId + ".${file}"`, `${JSON.stringify(names)}[chunkId] + ".js"`)
    const named = parts.map(([number, text]) => {
      const name = names[number.replace(`.${file}`, '')]
      if (name === undefined) throw new Error(`no import() loads ${number}`)
      return [`${name}.js`, text] as const
    })
    for (const [name, text] of [[file, mainCode] as const, ...named])
      writeFileSync(join(target, name), isReadable ? text : minify(name, text), { flag: 'wx' })
    if (terms.length > 0) licenses += `The packages in ${file}:\n\n${joinTerms(terms)}\n`
  }
  writeFileSync(
    join(target, 'llhttp.wasm'),
    createRequire(import.meta.url)('undici/lib/llhttp/llhttp-wasm.js'),
  )
  // The parser needs two of the tables of llhttp. The others are 7 KB.
  const { ERROR, TYPE } = createRequire(import.meta.url)('undici/lib/llhttp/constants.js')
  writeFileSync(join(target, 'llhttp-constants.js'), `module.exports=${JSON.stringify({ ERROR, TYPE })}\n`)
  // undici's package contains compiled llhttp, without a license that ncc could find.
  const parserLicense = readFileSync(join(import.meta.dirname, 'llhttp-license.txt'), 'utf8')
  writeFileSync(join(target, licensesFile), `${licenses}The packages in llhttp.wasm:\n\n${parserLicense}`)
  // Declares CommonJS, because the package above is one of ES modules.
  writeFileSync(join(target, 'package.json'), '{ "type": "commonjs" }\n')
  writeFileSync(join(target, hashesFile), `${JSON.stringify(hashSources(root), undefined, 1)}\n`)
}

function findDifferences(one: string, other: string): string[] {
  const names = [...new Set([...readdirSync(one), ...readdirSync(other)])]
  const read = (folder: string, name: string) => {
    try {
      return readFileSync(join(folder, name)).toString('latin1')
    } catch {
      return undefined
    }
  }
  return names.filter(name => read(one, name) !== read(other, name))
}

const { values } = parseArgs({
  options: { check: { type: 'boolean', default: false }, readable: { type: 'string' } },
})
const fresh = mkdtempSync(join(tmpdir(), 'bundle-'))
try {
  await build(fresh, values.readable !== undefined)
  if (values.check) {
    const stale = findDifferences(fresh, committed)
    if (stale.length > 0) {
      process.stderr.write(
        `dist is stale: ${stale.join(', ')} differ from a fresh build; run: npm run build\n`,
      )
      process.exitCode = 1
    }
  } else {
    const target = values.readable === undefined ? committed : resolve(values.readable)
    if (target === committed) rmSync(committed, { recursive: true, force: true })
    mkdirSync(target, { recursive: true })
    cpSync(fresh, target, { recursive: true })
  }
} catch (error) {
  if (!(error instanceof CompileError)) throw error
  process.stderr.write(`${error.message}: dist stays as it is\n`)
  process.exitCode = 1
} finally {
  rmSync(fresh, { recursive: true, force: true })
}
