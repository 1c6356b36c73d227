// Warns about renamed inputs and values without effect.

import type { GivenParameters } from '#operations/base/context'
import type { Operation } from '#operations/base/operation'
import { inputTable } from './input-table.ts'

export interface InputWarning {
  title: 'unused input' | 'renamed input' | 'value without effect' | 'keys beside a command'
  message: string
}

/** Adds a title to warnings. */
export const titled = (title: InputWarning['title'], messages: string[]): InputWarning[] =>
  messages.map(message => ({ title, message }))

/** The texts under their current names, and a warning for each input with an older name. */
export function readRenamed(
  operation: Operation | undefined,
  texts: ReadonlyMap<string, string>,
): { texts: Map<string, string>; warnings: string[] } {
  const renamed = new Map(texts)
  const warnings: string[] = []
  for (const [older, name] of Object.entries(operation?.renamed ?? {})) {
    const text = texts.get(older)
    // If the current input is set too, the older one is unused, which has its own warning.
    if (text === undefined || texts.has(name)) continue
    renamed.delete(older)
    renamed.set(name, text)
    warnings.push(`${operation?.name} has renamed the input ${older} to ${name}: rename it in the step`)
  }
  return { texts: renamed, warnings }
}

/** A warning for each value that the API accepts and ignores. */
export function findIneffective(parameters: GivenParameters): string[] {
  return Object.entries(parameters).flatMap(([name, given]) => {
    const advice = new Map(Object.entries(inputTable[name]?.ineffective ?? {}))
    return [given].flat().flatMap(value => {
      const instead = advice.get(String(value))
      return instead === undefined ? [] : [`${name}: ${value} has no effect anymore; ${instead}`]
    })
  })
}
