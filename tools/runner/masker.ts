/** Masks secrets like GitHub's runner. */
import { valueEncoders } from './encoders.ts'

/** A range of characters to hide. */
interface Position {
  start: number
  end: number
}

/** All occurrences in a text, including overlapping ones (actions/runner, ValueSecret.cs). */
function* positionsOf(value: string, input: string): Generator<Position> {
  for (let start = input.indexOf(value); start >= 0; start = input.indexOf(value, start + 1))
    yield { start, end: start + value.length }
}

/** Joins positions that overlap or touch: together they become one mask. */
function mergePositions(positions: Position[]): Position[] {
  const merged: Position[] = []
  for (const { start, end } of positions.toSorted((one, other) => one.start - other.start)) {
    const current = merged.at(-1)
    if (current && start <= current.end) current.end = Math.max(current.end, end)
    else merged.push({ start, end })
  }
  return merged
}

/**
 * The texts that GitHub's runner hides in logs, annotations and summaries, as of its version 2.337: a port of
 * src/Sdk/DTLogging/Logging/SecretMasker.cs with ValueSecret.cs and ReplacementPosition.cs of actions/runner, with the
 * encoders that HostContext.cs registers. No text is too short: one letter is masked too. Regular expressions, which
 * only GitHub itself can add, are omitted.
 */
export class RunnerMasker {
  /** The added texts, and all their forms. */
  readonly #originals = new Set<string>()
  readonly #values = new Set<string>()

  /**
   * Hides a text and its encoded forms from now on.
   * @throws RangeError like the runner for a text whose first `&+` is its end; nothing is hidden then
   */
  addValue(value: string): void {
    if (value === '' || this.#originals.has(value)) return
    const forms = Object.values(valueEncoders).map(encode => encode(value))
    this.#originals.add(value)
    for (const form of [value, ...forms]) if (form !== '') this.#values.add(form)
  }

  /**
   * The command `add-mask`, by its data: the text and each line of it, trimmed; nothing for blank data
   * (ActionCommandManager.cs, AddMaskCommandExtension).
   * @returns whether the runner accepted it: a text that makes it fail also fails the step
   */
  addMask(data: string): boolean {
    if (data.trim() === '') return true
    try {
      this.addValue(data)
      for (const line of data.split(/[\r\n]/)) this.addValue(line.trim())
      return true
    } catch {
      return false
    }
  }

  /** The text with every hidden part replaced by `***`. */
  mask(input: string): string {
    const positions = [...this.#values].flatMap(value => [...positionsOf(value, input)])
    let masked = ''
    let from = 0
    for (const { start, end } of mergePositions(positions)) {
      masked += `${input.slice(from, start)}***`
      from = end
    }
    return masked + input.slice(from)
  }
}
