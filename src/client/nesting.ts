/** No record of the API is nested a tenth as deep. What is much deeper than this, JSON.stringify cannot write. */
export const deepest = 100

/** Whether values stand within values beyond so many levels; takes no deeper stack for deeper values. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  let layer = [value]
  for (let level = 0; level <= levels && layer.length > 0; level++) {
    layer = layer.flatMap(one => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
  return layer.length > 0
}
