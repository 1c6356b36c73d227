/**
 * Builds `dist/`. With `--check` it says whether the committed `dist/` equals a fresh build, byte for byte; with
 * `--readable <folder>` it also writes the code there as it is before minifying.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { bundleChunk } from './bundle-chunk.ts'
import { chunks } from './chunks.ts'
import { CompileError, compile } from './compile.ts'
import { hashesFile, hashSources } from './source-hashes.ts'

const root = resolve(import.meta.dirname, '../..')
const committed = join(root, 'dist')

async function build(target: string, isReadable: boolean): Promise<void> {
  compile(root)
  const licenses: string[] = []
  for (const chunk of chunks) {
    const bundled = await bundleChunk(root, chunk, { isReadable })
    for (const [file, code] of Object.entries(bundled.files)) writeFileSync(join(target, file), code)
    if (bundled.licenses !== '') licenses.push(`The packages in ${chunk.file}:\n\n${bundled.licenses}`)
  }
  writeFileSync(join(target, 'licenses.txt'), licenses.join('\n'))
  // CommonJS must be declared: the package above is one of ES modules.
  writeFileSync(join(target, 'package.json'), '{ "type": "commonjs" }\n')
  writeFileSync(join(target, hashesFile), `${JSON.stringify(hashSources(root), undefined, 1)}\n`)
}

function differences(one: string, other: string): string[] {
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
    const stale = differences(fresh, committed)
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
