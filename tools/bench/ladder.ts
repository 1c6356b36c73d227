import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { withoutRestOfNode, withoutRestOfUndici } from '../build/chunks.ts'
import { compile } from '../build/compile.ts'

/** A script that does the same as the bare one, with one more part of a step. */
export interface Rung {
  name: string
  /** Bundled as the action is. */
  file: string
}

const root = resolve(import.meta.dirname, '../..')

const rungs = [
  { script: 'with-undici.cjs', name: 'the same by undici' },
  { script: 'with-crypto.cjs', name: 'and with `node:crypto`, for names and outputs' },
  { script: 'with-zod.cjs', name: 'and with zod, for the answers' },
]

/** Writes into the folder what stands between the bare script and a step: the floor for what is made of these parts. */
async function bundleRungs(folder: string): Promise<void> {
  compile(root)
  for (const { script } of rungs) {
    const chunk = {
      file: script,
      entry: join('tools/bench/ladder', script),
      loads: { '../llhttp/llhttp-wasm.js': './llhttp.js' },
      leavesOut: { ...withoutRestOfUndici, ...withoutRestOfNode },
    }
    const { bundleChunk } = await import('../build/bundle-chunk.ts')
    const { files } = await bundleChunk(root, chunk, { isReadable: false })
    writeFileSync(join(folder, script), files[script] ?? '')
  }
}

/**
 * Builds the ladder in a process of its own: the system counts the memory of a process as that of the children that
 * it starts, and the bundler takes much.
 */
export function buildLadder(folder: string): Rung[] {
  execFileSync(process.execPath, [import.meta.filename, folder], { stdio: ['ignore', 'ignore', 'inherit'] })
  return rungs.map(({ script, name }) => ({ name, file: join(folder, script) }))
}

if (import.meta.main) await bundleRungs(process.argv[2] ?? '')
