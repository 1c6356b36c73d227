import { ActionError } from '#base/errors'

/** A text of SQL. */
export interface SqlFile {
  /** What messages call it: the path of a file, or the name of an input. */
  name: string
  text: string
  /** Where it is in the repository, if it is a file. */
  path?: string
}

/** A place in a text: both count from 1, the column in characters as people count them (code points). */
export interface Place {
  line: number
  column: number
}

/** Something is wrong at a place of a text of SQL. */
export class SqlError extends ActionError {
  constructor(
    { name, path }: SqlFile,
    { line, column }: Place,
    what: string,
    next: string,
    options?: ErrorOptions,
  ) {
    super(`${name}:${line}:${column}: ${what}`, next, options)
    if (path !== undefined) this.place = { file: path, line, column }
  }
}
