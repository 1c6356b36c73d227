/**
 * What is wrong with the inputs for the data of a preview: either a parent or `empty: true` is needed. A variable that
 * was never set arrives as an empty input, and must not silently make an empty database.
 */
export function parentProblems(hasParent: boolean, empty: boolean): string[] {
  if (hasParent !== empty) return []
  return [
    hasParent
      ? 'empty: expected either service_id or `empty: true`, got both'
      : 'service_id: expected the id of the parent, but the input arrived empty: is the variable that it comes from set? (`empty: true` makes previews without data)',
  ]
}
