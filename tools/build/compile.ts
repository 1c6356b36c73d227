import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'

/** Compiles `src` into the folder `build`: ncc 0.45 cannot compile with TypeScript 7 itself. */
export function compile(root: string): void {
  rmSync(join(root, 'build'), { recursive: true, force: true })
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [compiler, '--project', 'tsconfig.build.json'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
