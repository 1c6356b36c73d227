/** Narrows values of unknown type, and limits how deeply they are nested. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/**
 * Upper limit for the nesting of JSON. The API uses fewer than ten levels; JSON.stringify fails on much deeper values.
 */
export const maxDepth = 100

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Whether lists and objects are nested deeper than `levels`. Iterative, because recursion could overflow the stack. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  let layer = [value].filter(isObject)
  for (let level = 0; level < levels && layer.length > 0; level++)
    layer = layer.flatMap(parent => Object.values(parent).filter(isObject))
  return layer.length > 0
}

export const messageOf = (failure: unknown): string =>
  failure instanceof Error ? failure.message : String(failure)
