import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import ncc from '@vercel/ncc'
import { minifySync } from 'rolldown/utils'
import type { Chunk } from './chunks.ts'

/** A chunk as it is written to dist. */
export interface Bundled {
  code: string
  /** Of the packages in it, with their names. */
  licenses: string
}

/** Marks a request that ncc shall leave alone. */
const leftOut = 'left-out:'

/** Puts the expressions in place of what was left out; a request that nobody makes any more fails the build. */
function fill(code: string, { file, leavesOut = {} }: Chunk): string {
  return Object.entries(leavesOut).reduce((filled, [request, expression]) => {
    const required = `require("${leftOut}${request}")`
    if (!filled.includes(required))
      throw new Error(`${file} does not import ${request}: take it out of chunks.ts`)
    return filled.replaceAll(required, expression)
  }, code)
}

/** Whether the compiler wrote a file of that name. */
function isOurs(root: string, request: string): boolean {
  return globSync(`build/**/${basename(request)}`, { cwd: root }).length > 0
}

/** Functions and classes keep their names, for whoever reads a stack trace. */
function minify(file: string, code: string): string {
  const names = { function: true, class: true }
  const { code: minified, errors } = minifySync(file, code, {
    compress: { target: 'es2024', keepNames: names },
    mangle: { keepNames: names },
    codegen: { removeWhitespace: true, legalComments: 'none' },
  })
  if (errors.length > 0) throw new Error(`${file} cannot be minified: ${errors[0]?.message}`)
  return minified
}

/**
 * Bundles an entry with ncc, as CommonJS: an ES module that imports node:fs loads streams and promises with it. ncc
 * itself minifies without taking out what is never used, so that is done here.
 */
export async function bundleChunk(
  root: string,
  chunk: Chunk,
  { isReadable }: { isReadable: boolean },
): Promise<Bundled> {
  const requests = Object.keys(chunk.leavesOut ?? {})
  // ncc goes by the request alone: a file of ours that is asked for by the same words would be left out too.
  const [ours] = requests.filter(request => request.startsWith('./') && isOurs(root, request))
  if (ours !== undefined) throw new Error(`${chunk.file} would leave out our own ${ours}: rename it`)
  const { code, assets } = await ncc(join(root, chunk.entry), {
    cache: false,
    esm: false,
    externals: { ...chunk.loads, ...Object.fromEntries(requests.map(name => [name, leftOut + name])) },
    filename: chunk.file,
    license: 'licenses.txt',
    quiet: true,
  })
  const { 'licenses.txt': licenses, ...others } = assets
  const [unexpected] = Object.keys(others)
  if (unexpected !== undefined) throw new Error(`${chunk.file} would need ${unexpected} beside it`)
  const filled = fill(code, chunk)
  return { code: isReadable ? filled : minify(chunk.file, filled), licenses: String(licenses?.source ?? '') }
}
