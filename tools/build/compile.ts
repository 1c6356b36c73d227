/** Compiles `src` for the bundler. */
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addPartNames } from './part-names.ts'

/** The compiler has printed its errors to stderr. */
export class CompileError extends Error {
  override name = 'CompileError'
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
  for (const file of globSync('build/**/*.js', { cwd: root })) {
    const path = join(root, file)
    writeFileSync(path, addPartNames(readFileSync(path, 'utf8')))
  }
}
