/** Limits how deeply JSON may be nested. */

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
