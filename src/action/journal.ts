/** Saves new records in the state of the step. */
import type * as z from 'zod/mini'
import { describeRecord, resources } from '#api/resource'
import { ActionError } from '#base/errors'
import { parseStored } from '#base/stored'
import type { Journal } from '#operations/base/context'
import { type CreatedRecord, createdSchema, intentSchema, type Journaled } from '#operations/base/journaled'
import { type Outcome, passwordsIn } from '#operations/base/outcome'
import type { Edge } from './host/edge.ts'
import type { Host } from './host/host.ts'
import {
  adviseOnUnwritten,
  describeUnwritten,
  RunnerFileError,
  tryToWrite,
  type Unwritten,
} from './host/runner-files.ts'
import type { OutputSource } from './outputs/output-source.ts'
import { writeOutputs } from './outputs/write-outputs.ts'
import { intentName } from './state-name.ts'

/** The message is only about this request, because an earlier one may have created a record. */
const stateError = (unwritten: Unwritten[]) =>
  new ActionError(
    `the state of the step cannot be written, so the creating request is not sent: ${describeUnwritten(unwritten)}`,
    `${adviseOnUnwritten(unwritten)} and run the step again`,
    { cause: unwritten[0]?.cause },
  )

function unwrittenError(record: CreatedRecord, outcome: Outcome, unwritten: Unwritten[]): RunnerFileError {
  const { label } = resources[record.resource]
  const isUnwritten = (name: string) => unwritten.some(({ file }) => file === name)
  const places = [
    'the log',
    ...(isUnwritten('GITHUB_STATE') ? [] : ['the state']),
    ...(isUnwritten('GITHUB_OUTPUT') ? [] : ['the outputs']),
  ]
  return new RunnerFileError(
    `${outcome.operation} created ${describeRecord(record.resource, record.ids)}, whose id is in ${places.join(' and ')}`,
    unwritten,
    outcome.pullRequest === undefined
      ? `delete the ${label}, unless \`cleanup\` makes the post step do so, and run the step again`
      : 'run the step again: it continues with the existing preview',
  )
}

/**
 * Saves new records in the state of the step, which the post step reads (docs/internals/guarantees.md, "Write ahead").
 * Never saves a secret: the post step reads the inputs again, and an id that contains a secret is not saved.
 */
export function createJournal(edge: Edge, login: OutputSource['login']): Journal {
  const { host, log, secrets } = edge
  const save = (name: string, value: unknown) =>
    tryToWrite('GITHUB_STATE', host.process.env, () => host.toolkit.saveState(name, value))

  /** The outcome of the creation, once `announce` was called. */
  let createdOutcome: Outcome | undefined
  /** All properties that the operation has published so far, for the outputs of a step that fails. */
  let published: Outcome | undefined

  const isSame = (one: Outcome, other: Outcome) => {
    const id = one.resource && resources[one.resource].id
    return id !== undefined && one.ids[id] === other.ids[id]
  }

  /** A failed write is only a warning here: no request follows, and the result of the last one matters more. */
  function warnOf(unwritten: Unwritten[]): void {
    if (unwritten.length > 0)
      log.warning(
        `${describeUnwritten(unwritten)}: the post step may search for a record that was never created`,
        'the state cannot be written',
      )
  }

  return {
    intend(intent) {
      if (secrets.hasAnyIn(JSON.stringify(intent))) {
        throw new ActionError(
          'the state of the step would contain a secret: a key or password is part of a name or id',
          'use another name, or another project_id; nothing was created',
        )
      }
      const unwritten = save(intentName, intent)
      if (intent.searched || intent.refused) warnOf(unwritten)
      else if (unwritten.length > 0) throw stateError(unwritten)
    },
    withdraw: () => warnOf(save(intentName, '')),
    announce(record, outcome) {
      createdOutcome = outcome
      for (const password of passwordsIn(outcome)) log.mask(password)
      // Without the id in the state, the post step finds the record by its name in the intent.
      const isSecret = secrets.hasAnyIn(JSON.stringify(record))
      const inState = isSecret ? [] : save('created', record)
      const { replica_set_id, peering_id, vpc_id, service_id } = outcome.ids
      log.info(`${outcome.operation} created ${replica_set_id ?? peering_id ?? vpc_id ?? service_id}`)
      const unwritten = [...inState, ...writeOutputs({ outcome, login }, edge)]
      // Fails without waiting for the record: later steps could not find it, and the post step can delete it sooner.
      if (unwritten.length > 0) throw unwrittenError(record, outcome, unwritten)
    },
    publish(outcome) {
      // The outputs stay those of the new record while the step waits for another one.
      if (createdOutcome !== undefined && !isSame(createdOutcome, outcome)) return
      for (const password of passwordsIn(outcome)) log.mask(password)
      published = { ...createdOutcome, ...published, ...outcome }
      const unwritten = writeOutputs({ outcome: published, login }, edge)
      if (unwritten.length > 0)
        log.warning(
          `${describeUnwritten(unwritten)}: later steps do not get the outputs about the record`,
          'outputs not written',
        )
    },
  }
}

function read<Value>({ toolkit }: Host, name: string, schema: z.ZodMiniType<Value>): Value | undefined {
  const text = toolkit.getState(name)
  if (text === '') return undefined
  const stored = parseStored(text, schema)
  if ('value' in stored) return stored.value
  throw new ActionError(
    `the state of the step cannot be read, so nothing is cleaned up: ${name}: ${stored.problem}`,
    'look at the log of the step, and delete what it created and is not needed',
  )
}

export function readJournal(host: Host): Journaled {
  return { intent: read(host, intentName, intentSchema), created: read(host, 'created', createdSchema) }
}
