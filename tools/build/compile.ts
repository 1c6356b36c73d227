/** Compiles `src` for the bundler. */
import { spawnSync } from 'node:child_process'
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'rolldown/utils'
import { addPartNames } from './part-names.ts'
import { dataFiles } from './stale-dist.ts'

/** The compiler has printed its errors to stderr. */
export class CompileError extends Error {
  override name = 'CompileError'
}

/** Properties of the rows of inputs and outputs that only the reference, action.yml and tests need. */
const descriptions = new Set(['about', 'example', 'otherwise'])

/** Removes the properties that describe inputs and outputs: 17 KB of `dist`. */
export function removeDescriptions(file: string, code: string): string {
  const found: { start: number; end: number }[] = []
  new Visitor({
    Property(property) {
      const { key, value } = property
      const isText = value.type === 'TemplateLiteral' || value.type === 'Literal'
      if (key.type === 'Identifier' && descriptions.has(key.name) && isText) found.push(property)
    },
  }).visit(parseSync(file, code).program)
  return found.reduceRight(
    (rest, { start, end }) => rest.slice(0, start) + rest.slice(end).replace(/^\s*,/, ''),
    code,
  )
}

/** Compiles `src` into the folder `build`: ncc 0.45 cannot compile with TypeScript 7 itself. Throws CompileError. */
export function compile(root: string): void {
  rmSync(join(root, 'build'), { recursive: true, force: true })
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  // The compiler prints its errors to its stdout.
  const { status } = spawnSync(process.execPath, [compiler, '--project', 'tsconfig.build.json'], {
    cwd: root,
    stdio: ['ignore', process.stderr, 'inherit'],
  })
  if (status !== 0) throw new CompileError('src does not compile')
  // The bundler resolves `#base/…` by the package.json next to the compiled files.
  writeFileSync(
    join(root, 'build/package.json'),
    JSON.stringify({ type: 'module', imports: { '#*': './*.js' } }),
  )
  for (const file of globSync(dataFiles, { cwd: join(root, 'src') }))
    cpSync(join(root, 'src', file), join(root, 'build', file))
  for (const file of globSync('build/**/*.js', { cwd: root })) {
    const path = join(root, file)
    writeFileSync(path, addPartNames(removeDescriptions(path, readFileSync(path, 'utf8'))))
  }
}
