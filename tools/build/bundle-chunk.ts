import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import ncc from '@vercel/ncc'
import { minifySync } from 'rolldown/utils'
import type { Chunk } from './chunks.ts'
import { nameLateFiles } from './late-files.ts'

/** A chunk as it is written to dist. */
export interface Bundled {
  /** Its file, and those that it loads late, by their names. */
  files: Record<string, string>
  /** Of the packages in it, with their names. */
  licenses: string
}

/** Marks a request that ncc must leave alone. */
const leftOut = 'left-out:'

function mapValues(files: Record<string, string>, change: (code: string, file: string) => string) {
  return Object.fromEntries(Object.entries(files).map(([file, code]) => [file, change(code, file)]))
}

/**
 * Replaces the left-out requests by their expressions; an expression whose request no longer occurs fails the build.
 */
function fill(files: Record<string, string>, { file, leavesOut = {} }: Chunk): Record<string, string> {
  return Object.entries(leavesOut).reduce((filled, [request, expression]) => {
    const required = `require("${leftOut}${request}")`
    if (!Object.values(filled).some(code => code.includes(required)))
      throw new Error(`${file} does not import ${request}: take it out of chunks.ts`)
    return mapValues(filled, code => code.replaceAll(required, expression))
  }, files)
}

/** Whether the compiler wrote a file of that name. */
function isOurs(root: string, request: string): boolean {
  return globSync(`build/**/${basename(request)}`, { cwd: root }).length > 0
}

/** Minifies, but keeps the names of functions and classes, for whoever reads a stack trace. */
function minify(code: string, file: string): string {
  const names = { function: true, class: true }
  const { code: minified, errors } = minifySync(file, code, {
    compress: { target: 'es2024', keepNames: names },
    mangle: { keepNames: names },
    codegen: { removeWhitespace: true, legalComments: 'none' },
  })
  if (errors.length > 0) throw new Error(`${file} cannot be minified: ${errors[0]?.message}`)
  // The minifier quotes all strings by backticks, which Node.js reads much more slowly: it matters for the long one of
  // a parser.
  const quoted = minified.replace(/`([\w+/=]{1000,})`/g, '"$1"')
  // A text of ASCII alone takes Node.js half the memory. Other characters occur only in strings and regular
  // expressions, where escapes mean the same.
  return quoted.replace(/[^\0-\x7f]/g, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

interface NccOutput {
  code: string
  licenses: string
  others: Record<string, string>
}

async function runNcc(entry: string, { file, loads, leavesOut = {} }: Chunk): Promise<NccOutput> {
  const leftOutOf = Object.keys(leavesOut).map(request => [request, leftOut + request])
  const { code, assets } = await ncc(entry, {
    cache: false,
    esm: false,
    externals: { ...loads, ...Object.fromEntries(leftOutOf) },
    filename: file,
    license: 'licenses.txt',
    quiet: true,
  })
  const texts = Object.entries(assets).map(([name, { source }]) => [name, String(source)])
  const { 'licenses.txt': licenses = '', ...others } = Object.fromEntries(texts) as Record<string, string>
  return { code, licenses, others }
}

/**
 * Of files that are loaded late, ncc gives the licences of only one. So it is asked for all licences with a single
 * file.
 */
async function readLicenses(root: string, chunk: Chunk): Promise<string> {
  const entry = join(root, 'build', 'all-at-once.js')
  const modules = [chunk.entry, ...Object.values(chunk.late ?? {})]
  writeFileSync(entry, modules.map(path => `import ${JSON.stringify(join(root, path))}\n`).join(''))
  try {
    const { licenses, others } = await runNcc(entry, chunk)
    const [part] = Object.keys(others)
    if (part !== undefined) throw new Error(`the licences of ${part} are not known`)
    return licenses
  } finally {
    rmSync(entry)
  }
}

/**
 * Bundles an entry with ncc, as CommonJS: an ES module that imports node:fs loads streams and promises with it. ncc
 * minifies without removing unused code, so that is done here.
 */
export async function bundleChunk(
  root: string,
  chunk: Chunk,
  { isReadable }: { isReadable: boolean },
): Promise<Bundled> {
  const requests = Object.keys(chunk.leavesOut ?? {})
  // ncc looks at the request alone: it would also leave out a file of ours that is requested by the same words.
  const [ours] = requests.filter(request => request.startsWith('./') && isOurs(root, request))
  if (ours !== undefined) throw new Error(`${chunk.file} would leave out our own ${ours}: rename it`)
  const { code, licenses, others: parts } = await runNcc(join(root, chunk.entry), chunk)
  const [unexpected] = Object.keys(parts).filter(name => !name.endsWith(`.${chunk.file}`))
  if (unexpected !== undefined) throw new Error(`${chunk.file} would need ${unexpected} beside it`)
  const late = mapValues(chunk.late ?? {}, path => readFileSync(join(root, path), 'utf8'))
  const named = nameLateFiles({ code, parts }, late)
  const files = fill({ [chunk.file]: named.code, ...named.files }, chunk)
  return {
    files: isReadable ? files : mapValues(files, minify),
    licenses: chunk.late === undefined ? licenses : await readLicenses(root, chunk),
  }
}
