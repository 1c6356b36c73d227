/** Narrows values of unknown type, and limits how deeply they are nested. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** The most levels of JSON. The API uses fewer than ten; JSON.stringify fails on much deeper values. */
export const maxDepth = 100

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Whether a value has more than `maxDepth` levels. Iterative, because recursion could overflow the stack. */
export function isTooDeep(value: unknown): boolean {
  let layer = [value].filter(isObject)
  for (let level = 0; level < maxDepth && layer.length > 0; level++)
    layer = layer.flatMap(parent => Object.values(parent).filter(isObject))
  return layer.length > 0
}

export const messageOf = (failure: unknown): string =>
  failure instanceof Error ? failure.message : String(failure)
