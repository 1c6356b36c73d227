/** The type of an input, and its groups. */
import { extendRows } from '#base/table'

/** The groups of inputs in the reference; tools/reference/groups.ts introduces each group. */
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

/** The harm if an operation ignored an input that was set. The operation fails instead. */
export interface Harm {
  /** `changes`: harm in all operations that change something. `creates`: only in those that create a record. */
  by: 'changes' | 'creates'
  /** A clause that follows "otherwise". */
  what: string
  /** The value that has the same effect as no value. */
  idle?: string
}

export interface Input {
  about: string
  /** A typical value or an expression, which tests use too; undefined if people cannot know a value. */
  example: string | undefined
  group: InputGroup
  /** Values that the API accepts and ignores, each with an alternative. */
  ineffective?: Record<string, string>
  /** The consequence if an operation does not use the input; `never` if every operation uses it. */
  ignored: Harm | 'harmless' | 'never'
  /** The value must not appear in any output, not even in an error. */
  secret?: boolean
}

/** Returns a function that assigns rows to a group, in the order of the reference. */
export function grouping<Row extends { group: string }>() {
  // `Rows` is inferred before it is checked: then a missing property is one error, and the other rows keep their types.
  return <const Rows extends Record<string, object>>(
    group: Row['group'],
    rows: Rows & Record<keyof Rows, Omit<Row, 'group'>>,
  ) => extendRows<Rows, Pick<Row, 'group'>>(rows, () => ({ group }))
}

/** An expression of a workflow. */
export const expression = (text: string) => `\${{ ${text} }}`
