import * as core from '@actions/core'
import { ActionError } from '../client/errors.ts'
import type { Journaled } from '../operations/cleanup.ts'
import type { CreatedRecord, Intent, Journal } from '../operations/context.ts'
import type { Outcome } from '../operations/outcome.ts'
import type { Secrets } from './secrets.ts'

/** The state of the step could not be written: what is created next could not be cleaned up. */
export class StateError extends ActionError {}

function save(name: string, value: unknown, consequence: string): void {
  try {
    // Without the file the toolkit would print the state as a command, which only old runners read.
    if (!process.env.GITHUB_STATE) throw new Error('GITHUB_STATE is not set')
    core.saveState(name, value)
  } catch (error) {
    throw new StateError(
      `the state of the step cannot be written: ${(error as Error).message}`,
      `run the step on a GitHub Actions runner with room on its disk; ${consequence}`,
      { cause: error },
    )
  }
}

/**
 * Writes down in the step's state what it creates; the post step reads it. Never a secret: inputs are read again,
 * and an id in which a server hides one is not kept.
 */
export function createJournal(onCreated: (outcome: Outcome) => void, secrets: Secrets): Journal {
  return {
    intend(intent) {
      if (secrets.isIn(JSON.stringify(intent))) {
        throw new StateError(
          'the state of the step would hold a secret: a key or password is part of a name or id',
          'use another name, or another project_id; nothing was created',
        )
      }
      save('intent', intent, 'nothing was created')
    },
    withdraw: () => save('intent', '', 'nothing was created'),
    created(record, outcome) {
      // Masks and sets outputs first: what is known then is known even where the state fails to be written.
      onCreated(outcome)
      // The post step then finds it by the intended name.
      if (!secrets.isIn(JSON.stringify(record))) save('created', record, 'what was created is in the outputs')
    },
  }
}

function read<Value>(name: string): Value | undefined {
  const text = core.getState(name)
  return text === '' ? undefined : (JSON.parse(text) as Value)
}

/** What the step wrote down, in the post step. */
export function readJournal(): Journaled {
  return { intent: read<Intent>('intent'), created: read<CreatedRecord>('created') }
}
