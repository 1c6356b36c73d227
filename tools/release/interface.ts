/** Finds breaking changes of the interface. */
import { parse } from 'yaml'

interface Input {
  required?: boolean
  default?: unknown
  deprecationMessage?: string
}

interface Metadata {
  inputs?: Record<string, Input | null>
  outputs?: Record<string, unknown>
  runs: { using: string }
}

/**
 * Breaking changes since an earlier `action.yml`, one sentence each. A deprecated input may disappear in a later
 * release; a default is part of the interface.
 */
export function findBreaks(before: string, now: string): string[] {
  const old = parse(before) as Metadata
  const next = parse(now) as Metadata
  const breaks: string[] = []
  for (const [name, input] of Object.entries(old.inputs ?? {})) {
    const kept = next.inputs?.[name]
    if (kept === undefined) {
      if (!input?.deprecationMessage) breaks.push(`the input ${name} is gone and was not deprecated before`)
      continue
    }
    if (kept?.required && !input?.required) breaks.push(`the input ${name} is required now`)
    if (String(kept?.default ?? '') !== String(input?.default ?? ''))
      breaks.push(
        `the default of the input ${name} was "${input?.default ?? ''}" and is "${kept?.default ?? ''}"`,
      )
  }
  for (const [name, input] of Object.entries(next.inputs ?? {})) {
    const isNew = !(name in (old.inputs ?? {}))
    if (isNew && input?.required && input.default === undefined)
      breaks.push(`the new input ${name} is required`)
  }
  for (const name of Object.keys(old.outputs ?? {}))
    if (!(name in (next.outputs ?? {}))) breaks.push(`the output ${name} is gone`)
  if (old.runs.using !== next.runs.using)
    breaks.push(`it runs on ${next.runs.using} in place of ${old.runs.using}`)
  return breaks
}
