/** Parses the table of endpoints in docs/internals/api.md. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathParameters } from '#api/endpoint'

/** An endpoint as written by hand in docs/internals/api.md, "Endpoints". It is independent of the code. */
export interface ContractRow {
  operation: string
  method: string
  path: string
  /** Fields of body or query; `!` marks the required ones. */
  fields: string[]
  /** The status of success, and the schema in src/api/records.ts that reads the body, if any. */
  answer: string
  resource: string | undefined
  creates: boolean
  /** The default wait, in minutes. */
  minutes: number | undefined
  /** The end of the wait, if it is no state of the record. */
  end: 'gone' | 'connects' | undefined
  /** The record is read once after the call, for the outputs. */
  readBack: boolean
  /** The fields in the specification; all others may be absent or different. */
  shown: { request: boolean; fields: boolean; answer: boolean }
}

const document = resolve(import.meta.dirname, '../../docs/internals/api.md')

const head = '| operation | request | fields | answer | about | wait | source |'

const sources: Record<string, ContractRow['shown']> = {
  S: { request: true, fields: true, answer: true },
  'S, answer P': { request: true, fields: true, answer: false },
  'S, rest P': { request: true, fields: false, answer: false },
  P: { request: false, fields: false, answer: false },
}

export function parseContract(text: string): ContractRow[] {
  const lines = text.split('\n')
  const tables = lines.flatMap((line, index) => {
    if (line !== head) return []
    const rest = lines.slice(index + 2)
    return rest.slice(
      0,
      rest.findIndex(row => !row.startsWith('|')),
    )
  })
  return tables.map(parseRow)
}

function parseRow(line: string): ContractRow {
  const cells = line.replaceAll('`', '').split('|').slice(1, -1)
  const [operation = '', request = '', fields = '', answer = '', about = '', wait = '', source = ''] =
    cells.map(cell => cell.trim())
  const [method = '', path = ''] = request.split(' ')
  const [, minutes, end] = /^(\d+) min(?:, (gone|connects))?$/.exec(wait) ?? []
  const shown = sources[source]
  const readBack = wait === 'read back'
  if (shown === undefined || (wait !== '' && minutes === undefined && !readBack)) {
    throw new Error(`docs/internals/api.md has a row that is none of the contract: ${line}`)
  }
  return {
    operation,
    method,
    path,
    fields: fields.split(' ').filter(name => name !== ''),
    answer,
    resource: about.replace(/^new /, '') || undefined,
    creates: about.startsWith('new '),
    minutes: minutes === undefined ? undefined : Number(minutes),
    end: end as ContractRow['end'],
    readBack,
    shown,
  }
}

export const contract: readonly ContractRow[] = parseContract(readFileSync(document, 'utf8'))

const connection = ['database_name', 'database_user', 'sslmode', 'export_env']

/** The inputs of an operation, without those that all operations have. */
export function inputsOf(row: ContractRow): string[] {
  const connects = row.end !== 'gone' && (row.resource === 'service' || row.resource === 'replica_set')
  return [
    ...pathParameters(row.path),
    ...row.fields.map(name => name.replace('!', '')),
    ...(row.readBack ? ['wait'] : []),
    ...(row.operation === 'fork-service' ? ['quarantine', 'keep_active'] : []),
    ...(row.minutes === undefined ? [] : ['wait', 'wait_timeout']),
    ...(row.end === 'connects' ? ['wait_for_connection'] : []),
    ...(row.creates ? ['cleanup'] : []),
    // If the answer with the password is lost, the password can be derived.
    ...(row.creates && row.resource === 'service' ? ['password_secret'] : []),
    ...(connects ? connection : []),
  ]
}

/** The descriptions of the records in docs/internals/api.md, "Records", by their names. */
export function readRecordsSection(): Map<string, string> {
  const [, section = ''] = /^## Records\n(.*?)^## /ms.exec(readFileSync(document, 'utf8')) ?? []
  const [, ...parts] = section.split(/\*\*(\w+)\*\* /)
  const pairs = parts.flatMap((part, index): [string, string][] =>
    index % 2 === 0 ? [[part, parts[index + 1] ?? '']] : [],
  )
  return new Map(pairs)
}
