/** Reads files of commands. One that the runner rejects fails the step, and loses everything after the malformed line. */

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
  // For .NET a byte order mark at the start of a file is not part of its text. On Windows CR LF ends a line as well.
  const lines = content.replace(/^\ufeff/, '').split(windows ? /(\r?\n)/ : /(\n)/)
  // Every second entry is the end of the line before it.
  for (let index = 0; index < lines.length; index += 2) {
    const line = lines[index] ?? ''
    const [, name = '', sign, rest = ''] = /^(.*?)(=|<<)(.*)$/s.exec(line) ?? []
    if (sign === '=') yield [name, rest]
    else if (sign === '<<' && name !== '' && rest !== '') {
      const end = lines.findIndex((text, at) => at > index && at % 2 === 0 && text === rest)
      if (end < 0) throw new Error(`matching delimiter not found: ${rest}`)
      yield [name, lines.slice(index + 2, Math.max(index + 2, end - 1)).join('')]
      index = end
    } else if (line !== '') throw new Error(`invalid format: ${line}`)
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
