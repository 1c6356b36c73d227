import { RunnerCommandReader } from './runner-command.ts'

/** What the runner prints before the text of these commands (actions/runner, ActionCommandManager.cs). */
const labels: Record<string, string> = {
  warning: 'Warning: ',
  error: 'Error: ',
  notice: 'Notice: ',
  group: '▼ ',
}

/** The log of a job as the runner shows it: commands carried out, masked texts as `***` from then on. */
export class RunnerLog {
  readonly #masks = new Set<string>()
  readonly #commands = new RunnerCommandReader()

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
    const command = this.#commands.read(line)
    if (command === undefined) return this.redact(line)
    const { name, data, effect } = command
    if (effect === 'refused') return this.redact(`Error: Unable to process command '${line}' successfully.`)
    if (effect !== 'done') return this.redact(line)
    if (name === 'add-mask') this.mask(data)
    const label = labels[name]
    // All other commands do their work and leave nothing in the log.
    return label === undefined ? undefined : this.redact(label + data)
  }
}
