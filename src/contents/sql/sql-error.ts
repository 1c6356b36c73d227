/** Errors in SQL texts, with their place. */
import { ActionError } from '#base/errors'

export interface SqlFile {
  /** The path of a file, or the name of an input. */
  name: string
  text: string
  /** The path in the repository, if it is a file. */
  path?: string
}

/** Line and column count from 1. The column counts code points. */
export interface Place {
  line: number
  column: number
}

export class SqlError extends ActionError {
  constructor(
    { name, path }: SqlFile,
    { line, column }: Place,
    problem: string,
    next: string,
    options?: ErrorOptions,
  ) {
    super(`${name}:${line}:${column}: ${problem}`, next, options)
    if (path !== undefined) this.place = { file: path, line, column }
  }
}
