import type { asides, Tail } from './asides.ts'
import { readFields } from './messages.ts'
import type { Report } from './turn.ts'

/** What an error says. */
export interface Failure {
  bytes: Buffer
  code: string
  message: string
  /** The server ends the connection with it. */
  isFatal: boolean
  /** It says where in the text. */
  hasPlace: boolean
}

export function readFailure(bytes: Buffer): Failure {
  const fields = readFields(bytes)
  const isFatal = /^(?:FATAL|PANIC)$/.test(fields.get('V') ?? fields.get('S') ?? '')
  return {
    bytes,
    code: fields.get('C') ?? '',
    message: fields.get('M') ?? '',
    isFatal,
    hasPlace: fields.has('P'),
  }
}

/** What is asked between statements that the client sends at once. */
export interface Between {
  /** The statement behind which it is asked. */
  report: Report
  /** How many CloseComplete its answer still has. */
  closes: number
  rows: (string | null)[][]
  /** Bytes of all rows, kept or not. */
  size: number
}

/** A part of what was sent to the server, which ends with one ReadyForQuery. */
export interface Unit {
  /** What the proxy itself asks; undefined for what is the client's. */
  aside?: keyof typeof asides | 'census' | 'syntax'
  /** The statement that it has or is asked about. */
  report?: Report | undefined
  /** What stands behind a census. */
  tail?: Tail
  /** A census that has failed before, and is asked for once more. */
  isAgain?: boolean
  between: Between[]
  /** Characters of the client's message before it. */
  before: number
  rows: (string | null)[][]
  /** Bytes of all rows, kept or not. */
  size: number
  failure?: Failure
  tag?: string
}

/** A message of the extended protocol was refused because it has several statements, so all of them could be parsed. */
export const isForSeveral = (failure: Failure | undefined) => failure?.code === '42601' && !failure.hasPlace

/** Whether the server works on a commit of the proxy's, or has refused it. */
export const isCommitting = ({ aside, tail, tag }: Unit) =>
  aside === 'commit' || (tail === 'commit' && /^(?:SELECT|COMMIT)/.test(tag ?? ''))

/** The transaction is not open, or has failed before. */
export const noTransaction = /^25P0[12]$/
