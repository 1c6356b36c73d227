/** Renders variables of an environment. */

/** A value for a shell and for files of the environment. */
const quoted = (value: string) =>
  /^[\w./:@%=+-]*$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`

/** An assignment on each line. Undefined ones are omitted. */
export const renderVariables = (variables: Record<string, string | undefined>) =>
  Object.entries(variables)
    .map(([name, value]) => (value === undefined ? '' : `${name}=${quoted(value)}\n`))
    .join('')
