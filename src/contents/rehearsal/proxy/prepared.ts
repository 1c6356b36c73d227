import { readBytes, readText } from './messages.ts'
import { opaque, readStatement, type SqlStatement } from './statements.ts'

/** What a client has prepared and bound, by its names. */
export class Prepared {
  readonly #statements = new Map<string, SqlStatement>()
  readonly #portals = new Map<string, SqlStatement>()
  /** Prepared in this turn. */
  readonly #recent = new Set<string>()

  /** A turn is over. Where it failed, it is not known whether the server got as far as to prepare a statement. */
  finish(hasFailed: boolean): void {
    if (hasFailed) for (const name of this.#recent) this.#statements.delete(name)
    this.#recent.clear()
  }

  /** The statement that a message is about; what is prepared and bound is noted. */
  take(letter: string, bytes: Buffer, isReadable: boolean): SqlStatement | undefined {
    const name = readText(bytes, 5)
    if (name === undefined) return undefined
    if (letter === 'P') {
      const sql = readBytes(bytes, name.end)
      const statement = isReadable ? readStatement(sql) : opaque(sql)
      this.#statements.set(name.value, statement)
      this.#recent.add(name.value)
      return statement
    }
    if (letter === 'B') {
      const statement = this.#statements.get(readText(bytes, name.end)?.value ?? '')
      if (statement) this.#portals.set(name.value, statement)
      return statement
    }
    if (letter === 'C')
      (name.value.startsWith('S') ? this.#statements : this.#portals).delete(name.value.slice(1))
    return letter === 'E' ? this.#portals.get(name.value) : undefined
  }
}
