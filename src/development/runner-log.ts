/** What the runner prints before the text of these commands (actions/runner, ActionCommandManager.cs). */
const labels: Record<string, string> = {
  warning: 'Warning: ',
  error: 'Error: ',
  notice: 'Notice: ',
  group: '▼ ',
}

/** Commands that leave nothing in the log. */
const silent = new Set(['add-mask', 'debug', 'endgroup'])

/** `::name properties::text`; blanks may stand before it (actions/runner, ActionCommand.cs). */
const command = /^\s*::([a-z-]+)(?: [^:]*)?::(.*)$/

function unescapeData(text: string): string {
  return text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%')
}

/** The log of a job as the runner shows it: commands carried out, masked texts as `***` from then on. */
export class RunnerLog {
  readonly #masks = new Set<string>()

  /** Hides a text; of several lines, each. */
  mask(text: string): void {
    for (const line of text.split(/[\r\n]+/)) if (line !== '') this.#masks.add(line)
  }

  /** The text with every masked one in it hidden. */
  redact(text: string): string {
    const longestFirst = [...this.#masks].sort((one, other) => other.length - one.length)
    return longestFirst.reduce((rest, masked) => rest.replaceAll(masked, '***'), text)
  }

  /** What the log shows for a line that a step printed; undefined for nothing. */
  show(line: string): string | undefined {
    const [, name = '', data = ''] = command.exec(line) ?? []
    const text = unescapeData(data)
    if (name === 'add-mask') this.mask(text)
    if (silent.has(name)) return undefined
    const label = labels[name]
    return this.redact(label === undefined ? line : label + text)
  }
}
