/** A workflow command in a line of a step's output. */
export interface RunnerCommand {
  /** In lower case: the runner ignores case. */
  name: string
  /** Names in lower case. */
  properties: Map<string, string>
  data: string
  /** `refused`: known, but disabled or malformed; it fails the step. `resume`: the token that ends a stop. */
  effect: 'done' | 'refused' | 'stop' | 'resume'
}

type Parsed = Omit<RunnerCommand, 'effect'>

/**
 * The commands that a step may print (actions/runner, ExtensionManager.cs and ActionCommandManager.cs).
 * `internal-set-repo-path` is open to the runner's own plugins only.
 */
export const runnerCommands: readonly string[] = [
  ...['stop-commands', 'set-env', 'set-output', 'save-state', 'add-path', 'add-mask', 'add-matcher'],
  ...['remove-matcher', 'warning', 'error', 'notice', 'debug', 'group', 'endgroup', 'echo'],
]

/** Disabled unless ACTIONS_ALLOW_UNSECURE_COMMANDS is set (ActionCommandManager.cs). */
const disabled = new Set(['set-env', 'add-path'])

/** These have no effect without a name. */
const named = new Set(['set-output', 'save-state'])

/** The escaped characters, in the order in which the runner replaces them: `%` comes last. */
const dataEscapes = '\r\n%'
const propertyEscapes = '\r\n:,%'
const bracketEscapes = ';\r\n]%'

/** Replaces escapes such as `%0D`. */
function replaceEscapes(text: string, characters: string): string {
  const written = (character: string) =>
    `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
  return [...characters].reduce((rest, one) => rest.replaceAll(written(one), one), text)
}

/** White space by .NET's Char.IsWhiteSpace: U+0085 is in it, the byte order mark is not. */
const blank = /[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/
const leadingBlanks = new RegExp(`^${blank.source}+`)

/** Without a regular expression, which would start again at each of many blanks. */
function withoutTrailingBlanks(text: string): string {
  let end = text.length
  while (blank.test(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/** Like .NET's OrdinalIgnoreCase. JavaScript's own lower case would turn U+212A, the Kelvin sign, into a k. */
const lowerCase = (text: string) => text.replace(/[A-Z]/g, letter => letter.toLowerCase())

/** Runs of `=` count as one, as .NET's Split omits empty parts; a property without a value is omitted. */
function parseProperties(text: string, separator: string, escapes: string): Map<string, string> {
  const pairs = text.split(separator).flatMap((property): [string, string][] => {
    const [, name, value] = /^=*([^=]+)=+([^=].*)$/s.exec(property) ?? []
    return name === undefined || value === undefined
      ? []
      : [[lowerCase(name), replaceEscapes(value, escapes)]]
  })
  return new Map(pairs)
}

/** Name and properties before the text; undefined if no such command is registered. */
function parseHead(
  head: string,
  registered: ReadonlySet<string>,
  read: (properties: string) => Map<string, string>,
): Omit<Parsed, 'data'> | undefined {
  const space = head.indexOf(' ')
  const name = lowerCase(space < 0 ? head : head.slice(0, space))
  if (!registered.has(name)) return undefined
  return { name, properties: space > 0 ? read(head.slice(space + 1)) : new Map() }
}

/** `::name properties::text`, with only blanks before it (ActionCommand.cs, TryParseV2). */
function parseColonCommand(line: string, registered: ReadonlySet<string>): Parsed | undefined {
  const text = line.replace(leadingBlanks, '')
  const end = text.startsWith('::') ? text.indexOf('::', 2) : -1
  if (end < 0) return undefined
  const head = parseHead(text.slice(2, end), registered, properties =>
    parseProperties(withoutTrailingBlanks(properties.replace(leadingBlanks, '')), ',', propertyEscapes),
  )
  return head && { ...head, data: replaceEscapes(text.slice(end + 2), dataEscapes) }
}

/** `##[name properties]text`, anywhere in the line, the first one only (ActionCommand.cs, TryParse). */
function parseBracketCommand(line: string, registered: ReadonlySet<string>): Parsed | undefined {
  const start = line.indexOf('##[')
  const end = start < 0 ? -1 : line.indexOf(']', start)
  if (end < 0) return undefined
  const head = parseHead(line.slice(start + 3, end), registered, properties =>
    parseProperties(properties, ';', bracketEscapes),
  )
  return head && { ...head, data: replaceEscapes(line.slice(end + 1), bracketEscapes) }
}

/**
 * Finds the commands in the output of a step, like the runner: a port of actions/runner, ActionCommandManager.cs
 * (TryProcessCommand) and ActionCommand.cs. The runner searches for `::` and `##[` by the rules of a language, which
 * ignore some invisible characters. But it reads the command's name at a fixed distance from the match, so only these
 * very characters lead to a known name: the plain search here finds the same commands.
 */
export class RunnerCommandReader {
  readonly #registered = new Set(runnerCommands)
  #stopToken: string | undefined

  /** The command of a line; undefined if the line is text. */
  read(line: string): RunnerCommand | undefined {
    const parsed = parseColonCommand(line, this.#registered) ?? parseBracketCommand(line, this.#registered)
    if (parsed === undefined) return undefined
    if (this.#stopToken !== undefined) return this.#readStopped(parsed)
    return { ...parsed, effect: this.#effectOf(parsed) }
  }

  #readStopped(parsed: Parsed): RunnerCommand | undefined {
    if (parsed.name !== this.#stopToken) return undefined
    this.#registered.delete(parsed.name)
    this.#stopToken = undefined
    return { ...parsed, effect: 'resume' }
  }

  #effectOf({ name, properties, data }: Parsed): RunnerCommand['effect'] {
    if (name === 'stop-commands') return this.#stop(lowerCase(data))
    if (disabled.has(name) || (named.has(name) && !properties.get('name'))) return 'refused'
    return name === 'echo' && !/^(on|off)$/i.test(data.trim()) ? 'refused' : 'done'
  }

  /** A token that is empty, `pause-logging` or the name of a command is refused (ValidateStopToken). */
  #stop(token: string): RunnerCommand['effect'] {
    if (token === '' || token === 'pause-logging' || this.#registered.has(token)) return 'refused'
    this.#registered.add(token)
    this.#stopToken = token
    return 'stop'
  }
}
