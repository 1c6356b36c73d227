import { extendRows } from '#base/table'

/** Inputs that the reference shows together; tools/reference/groups.ts says what is said of each group. */
export type InputGroup =
  | 'Every step'
  | 'Previews'
  | 'Pruning'
  | 'SQL'
  | 'Migrations'
  | 'Connection'
  | 'Waiting and cleaning up'
  | 'Quarantine and masking'
  | 'New or changed records'
  | 'Read replica sets, VPCs and peerings'
  | 'Logs, metrics and analytics'
  | 'Requests'

/** What could happen where an operation ignores an input: the operation then fails. */
export interface Harm {
  /** `changes`: all operations but those that only read do harm. `creates`: only those that create something. */
  by: 'changes' | 'creates'
  /** A clause. */
  what: string
  /** The value that means the same as leaving the input out. */
  idle?: string
}

/** What is to be said of an input, whether it is a field of the API or the action's own. */
export interface Input {
  /** For the reference. */
  about: string
  /**
   * A value as a workflow would give it; undefined where only a program knows one. Tests call operations with it, unless
   * it is an expression of a workflow.
   */
  example: string | undefined
  group: InputGroup
  /** Values that the API takes and ignores, each with what to do instead. */
  ineffective?: Record<string, string>
  /** What follows where an operation does not use it; `never` if every operation does. */
  ignored: Harm | 'harmless' | 'never'
  /** Its text must not be shown, not even in an error. */
  secret?: boolean
}

/** Makes the function that puts rows of a kind into a group, in the order in which the reference shows them. */
export function grouping<Row extends { group: string }>() {
  return <const Rows extends Record<string, Omit<Row, 'group'>>>(group: Row['group'], rows: Rows) =>
    extendRows(rows, () => ({ group }))
}

/** The text of an expression that a workflow fills in. */
export const expression = (text: string) => `\${{ ${text} }}`
