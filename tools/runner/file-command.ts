/** Reads files of commands. One that the runner rejects fails the step, and loses everything after the malformed line. */

/** A line and its end; undefined at the end of the text. On Windows CR LF ends a line as well. */
interface Line {
  text: string
  /** The end of the line's text. */
  end: number
  /** The start of the next one. */
  next: number
  /** False for a last line without a line break. */
  ended: boolean
}

function readLine(text: string, start: number, windows: boolean): Line | undefined {
  if (start >= text.length) return undefined
  const feed = text.indexOf('\n', start)
  if (feed < 0) return { text: text.slice(start), end: text.length, next: text.length, ended: false }
  const end = windows && feed > start && text[feed - 1] === '\r' ? feed - 1 : feed
  return { text: text.slice(start, end), end, next: feed + 1, ended: true }
}

/** The value up to the delimiter on its own line, and the start of the lines after it. */
function readHeredoc(
  text: string,
  start: number,
  delimiter: string,
  windows: boolean,
): { value: string; next: number } {
  let end = start
  let line = readLine(text, start, windows)
  while (line?.text !== delimiter) {
    if (line === undefined) throw new Error(`matching delimiter not found: ${delimiter}`)
    if (!line.ended) throw new Error('the end marker is missing its new line')
    end = line.end
    line = readLine(text, line.next, windows)
  }
  return { value: text.slice(start, end), next: line.next }
}

/**
 * Names and values in GITHUB_OUTPUT, GITHUB_STATE or GITHUB_ENV, in order: `name=value` lines and `name<<delimiter`
 * with the value on the lines up to the delimiter (actions/runner, FileCommandManager.cs, EnvFileKeyValuePairs).
 *
 * @throws Error at the first line that is neither
 */
export function* readFileCommands(
  content: string,
  windows: boolean = process.platform === 'win32',
): Generator<[name: string, value: string]> {
  // For .NET a byte order mark at the start of a file is not part of its text.
  const text = content.replace(/^\ufeff/, '')
  let line = readLine(text, 0, windows)
  while (line !== undefined) {
    let { next } = line
    const equals = line.text.indexOf('=')
    const heredoc = line.text.indexOf('<<')
    if (equals >= 0 && (heredoc < 0 || equals < heredoc)) {
      yield [line.text.slice(0, equals), line.text.slice(equals + 1)]
    } else if (heredoc >= 0) {
      const name = line.text.slice(0, heredoc)
      const delimiter = line.text.slice(heredoc + 2)
      if (name === '' || delimiter === '') throw new Error(`invalid format: ${line.text}`)
      const read = readHeredoc(text, next, delimiter, windows)
      next = read.next
      yield [name, read.value]
    } else if (line.text !== '') throw new Error(`invalid format: ${line.text}`)
    line = readLine(text, next, windows)
  }
}

/** All names with their last values. @throws Error if the runner would fail the step */
export function parseFileCommands(content: string): Record<string, string> {
  return Object.fromEntries(readFileCommands(content))
}

/** Like `parseFileCommands`, for GITHUB_ENV: the runner lets no step set NODE_OPTIONS (SetEnvFileCommand). */
export function parseEnvironmentFile(content: string): Record<string, string> {
  const pairs = [...readFileCommands(content)].filter(([name]) => name.toUpperCase() !== 'NODE_OPTIONS')
  return Object.fromEntries(pairs)
}
