/**
 * What is wrong with how a workflow says what a preview starts with: a parent, or `empty: true`. A variable that was
 * never set arrives as an empty input, and must not make a database that nobody asked for.
 */
export function parentProblems(hasParent: boolean, empty: boolean): string[] {
  if (hasParent !== empty) return []
  return [
    hasParent
      ? 'empty: expected either service_id or `empty: true`, got both'
      : 'service_id: expected the id of the parent, but the input arrived empty: is the variable that it comes from set? (`empty: true` makes previews without data)',
  ]
}
