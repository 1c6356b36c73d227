import type { Operation } from '../../operations/base/operation.ts'

/** The texts under the names of today, and a warning for each input that has an older name. */
export function readRenamed(
  operation: Operation | undefined,
  texts: ReadonlyMap<string, string>,
): { texts: Map<string, string>; warnings: string[] } {
  const renamed = new Map(texts)
  const warnings: string[] = []
  for (const [older, name] of Object.entries(operation?.renamed ?? {})) {
    const text = texts.get(older)
    // Beside the newer input, the older one is unused, which has a warning of its own.
    if (text === undefined || texts.has(name)) continue
    renamed.delete(older)
    renamed.set(name, text)
    warnings.push(`${operation?.name} now calls the input ${older} ${name}: rename it in the step`)
  }
  return { texts: renamed, warnings }
}
