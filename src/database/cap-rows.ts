/** The most rows of the output `result`. */
const mostRows = 1000

/**
 * The most characters of JSON: a job's outputs have 1 MB in all (GitHub, "Workflow syntax", outputs), and a character may
 * be written as six.
 */
const mostCharacters = 100_000

/** The first rows, as far as an output has room. */
export function capRows<Row>(rows: Row[]): Row[] {
  let left = mostCharacters
  const first = rows.slice(0, mostRows)
  const cut = first.findIndex(row => {
    left -= JSON.stringify(row).length
    return left < 0
  })
  return cut < 0 ? first : first.slice(0, cut)
}
