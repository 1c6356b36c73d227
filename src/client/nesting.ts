/** No record of the API is nested a tenth as deep. What is much deeper than this, JSON.stringify cannot write. */
export const deepest = 100

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

function within(layer: object[]): object[] {
  const inner: object[] = []
  for (const one of layer) for (const value of Object.values(one)) if (isObject(value)) inner.push(value)
  return inner
}

/** Whether lists or objects stand within each other beyond so many levels; needs no deeper stack for more. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  let layer = [value].filter(isObject)
  for (let level = 0; level < levels && layer.length > 0; level++) layer = within(layer)
  return layer.length > 0
}
