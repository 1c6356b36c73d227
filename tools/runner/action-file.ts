/** Reads an action.yml. */
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parse } from 'yaml'

const root = resolve(import.meta.dirname, '../..')

/** The parts of an action.yml that the runner needs to start a step. */
export interface ActionFile {
  /** The defaults of its inputs, with unevaluated expressions. */
  defaults: Record<string, string>
  /** The files of the step and of the post step. */
  entries: { index: string; post: string }
}

interface Declared {
  inputs: Record<string, { default?: string } | null>
  runs: { main: string; post: string }
}

const cache = new Map<string, ActionFile>()

/** Reads an action.yml of this repository; `path` from its folder. */
export function readActionFile(path: string): ActionFile {
  const cached = cache.get(path)
  if (cached) return cached
  const file = join(root, path)
  const { inputs, runs } = parse(readFileSync(file, 'utf8')) as Declared
  const defaults: Record<string, string> = {}
  for (const [name, declared] of Object.entries(inputs))
    if (declared?.default !== undefined) defaults[name] = String(declared.default)
  const folder = dirname(file)
  const action = { defaults, entries: { index: join(folder, runs.main), post: join(folder, runs.post) } }
  cache.set(path, action)
  return action
}
