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
  const defaults = Object.entries(inputs).flatMap(([name, declared]) =>
    declared?.default === undefined ? [] : [[name, String(declared.default)]],
  )
  const entry = (name: string) => join(dirname(file), name)
  const entries = { index: entry(runs.main), post: entry(runs.post) }
  const action = { defaults: Object.fromEntries(defaults), entries }
  cache.set(path, action)
  return action
}
