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

/** The consequence if an operation ignored an input that was set. If that is harmful, the operation fails instead. */
export interface Harm {
  /** The harmful operations: all that change something, only those that create a record, or none. */
  by: 'changes' | 'creates' | 'nothing'
  /** A clause that follows "otherwise". */
  what: string
  /** The value that has the same effect as no value. */
  idle?: string
}

export interface Input {
  about: string
  /** A typical value or an expression, which tests use too. */
  example: string
  group: InputGroup
  /** Values that the API accepts and ignores, each with an alternative. */
  ineffective?: Record<string, string>
  /** `harmless`: there is no consequence to state. `never`: every operation uses the input. */
  ignored: Harm | 'harmless' | 'never'
  /** The value must not appear in any output, not even in an error. */
  secret?: boolean
}

type WithoutGroup<Row> = Row extends unknown ? Omit<Row, 'group'> : never

/** Returns a function that assigns rows to a group, in the order of the reference. */
export function grouping<Row extends { group: string }>() {
  // `Rows` is inferred before it is checked: then a missing property is one error, and the other rows keep their types.
  return <const Rows extends Record<string, object>>(
    group: Row['group'],
    rows: Rows & Record<keyof Rows, WithoutGroup<Row>>,
  ) => extendRows<Rows, Pick<Row, 'group'>>(rows, () => ({ group }))
}

/** An expression of a workflow. */
export const expression = (text: string) => `\${{ ${text} }}`
