/** Cuts the rows of a result to the size of an output. */

const mostRows = 1000

/**
 * The most characters of JSON. The outputs of a job have 1 MB together (GitHub, "Workflow syntax", outputs), and JSON may escape
 * a character with six bytes.
 */
const mostCharacters = 100_000

export function capRows<Row>(rows: Row[]): Row[] {
  let left = mostCharacters
  const first = rows.slice(0, mostRows)
  const cut = first.findIndex(row => {
    left -= JSON.stringify(row).length
    return left < 0
  })
  return cut < 0 ? first : first.slice(0, cut)
}
