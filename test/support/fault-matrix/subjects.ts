/** The operations of the fault matrix. */
import type { EndpointName } from '#api/endpoints'
import type { StepResult } from '../../../tools/runner/run-step.ts'
import type { BenchOptions, Inputs } from '../workbench.ts'
import type { World } from './world.ts'

/** An operation under test. */
export interface Subject {
  operation: string
  /** The request that gets the faults. */
  target: EndpointName
  does: 'create' | 'delete'
  /** True if it uses the code of another operation: then one fault of each kind is enough. */
  isAlike?: true
  /** True if another job may use the same name: then the step deletes no service whose creation was never answered. */
  isExact?: true
  /** Creates the records for the step. Returns the ids of the services that the step must delete. */
  prepare(world: World): string[]
  /** The inputs of this operation. */
  inputs(world: World, doomed: string[]): Inputs
  /** Runs the step on the event of its workflow. */
  run(world: World, inputs: Inputs, options: BenchOptions): Promise<StepResult>
}

type Run = Subject['run']

const alone: Run = ({ repository }, inputs, options) => repository.bench.step(inputs, options)

/** The pull request of a world's previews is its first. */
const onPullRequest =
  (action: 'opened' | 'closed'): Run =>
  ({ repository }, inputs, options) =>
    repository.on(action, 1, inputs, options)

export const subjects: Subject[] = [
  {
    operation: 'create-service',
    target: 'create-service',
    does: 'create',
    prepare: () => [],
    inputs: () => ({ name: 'shop-*' }),
    run: alone,
  },
  {
    operation: 'fork-service',
    target: 'fork-service',
    does: 'create',
    isAlike: true,
    isExact: true,
    prepare: () => [],
    inputs: ({ parent }) => ({ service_id: parent, name: 'shop', fork_strategy: 'NOW' }),
    run: alone,
  },
  {
    operation: 'create-preview',
    target: 'fork-service',
    does: 'create',
    prepare({ repository }) {
      repository.github.openPullRequest()
      return []
    },
    inputs: ({ parent }) => ({ service_id: parent, fork_strategy: 'NOW' }),
    run: onPullRequest('opened'),
  },
  {
    operation: 'delete-service',
    target: 'delete-service',
    does: 'delete',
    prepare: world => [world.createService('shop')],
    inputs: (_, [service_id = '']) => ({ service_id }),
    run: alone,
  },
  {
    operation: 'delete-preview',
    target: 'delete-service',
    does: 'delete',
    prepare: world => [world.createPreview('closed')],
    inputs: ({ parent }) => ({ service_id: parent }),
    run: onPullRequest('closed'),
  },
  {
    operation: 'prune-previews',
    target: 'delete-service',
    does: 'delete',
    isAlike: true,
    prepare(world) {
      const doomed = [world.createPreview('closed'), world.createPreview('closed')]
      world.createPreview('open')
      return doomed
    },
    inputs: ({ parent }) => ({ service_id: parent }),
    run: ({ repository }, inputs, options) => repository.onEvent('schedule', inputs, options),
  },
]
