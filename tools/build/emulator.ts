/**
 * Compiles the emulator and the command `connect` into `lib/`, for the package: Node.js runs no TypeScript below
 * `node_modules`. npm runs this before it packs, and when it installs from git or in a checkout.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const root = resolve(import.meta.dirname, '../..')
const { values } = parseArgs({ options: { to: { type: 'string', default: join(root, 'lib') } } })
const target = resolve(values.to)

/** The commands of the package. */
const commands = ['emulator/main.js', 'tools/connect/main.js']

/** The declarations for users of the package. */
const declarations = ['emulator/library.d.ts', 'emulator/library-types.d.ts']

/** The files that are copied as they are. */
const texts = ['emulator/dashboard/*.{js,css,html}', 'emulator/clusters/installation/stand-ins/**/*.*']

const compiler = join(root, 'node_modules/typescript/bin/tsc')

// A checkout without development dependencies runs the emulator from its sources.
if (existsSync(compiler)) {
  rmSync(target, { recursive: true, force: true })
  // `npm run types` checks types: without checks here, a checkout with unfinished changes can still be installed.
  const options = ['--project', 'tsconfig.emulator.json', '--outDir', target, '--noCheck']
  execFileSync(process.execPath, [compiler, ...options], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  // Node.js resolves `#base/…` by the package.json next to the compiled files.
  const description = { type: 'module', imports: { '#*': './src/*.js' } }
  writeFileSync(join(target, 'package.json'), JSON.stringify(description))
  // Modules that cannot be imported need no declarations.
  for (const path of globSync('**/*.d.ts', { cwd: target }))
    if (!declarations.includes(path.replaceAll('\\', '/'))) rmSync(join(target, path))
  for (const path of declarations) {
    const file = join(target, path)
    // The compiler leaves `.ts` in imports of declarations, which older compilers do not resolve.
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"))
  }
  // The page and the scripts of extensions, which the emulator reads as text. No compiled source has such a name.
  for (const path of globSync(texts, { cwd: root }))
    cpSync(join(root, path), join(target, path), { force: false, errorOnExist: true })
  for (const command of commands) chmodSync(join(target, command), 0o755)
}
