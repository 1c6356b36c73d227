/** Stories of a single step. */
import type { GivenParameters } from '#operations/base/context'
import type { Story, StoryBuilder } from './stories.ts'
import { otherCaller, projectId } from './world.ts'

/** Such a story is about no pull request. */
const alone = { pullRequest: undefined }

const sizes = { cpu_millis: 500, memory_gbs: 2 }
const peer = { peer_account_id: '123456789012', peer_region_code: 'us-east-1', peer_vpc_id: 'vpc-1' }

/** Each creating operation, with a service of the same name from before. */
const creations: ((play: StoryBuilder) => {
  operation: string
  given: GivenParameters
  before: () => void
})[] = [
  play => ({
    operation: 'create-service',
    given: { name: 'shop', ...(play.chance.hits(0.2) && { environment_tag: 'PROD' }) },
    before: () => play.service('shop'),
  }),
  play => ({
    operation: 'fork-service',
    given: {
      service_id: play.parentId,
      fork_strategy: 'NOW',
      ...(play.chance.hits(0.5) && { name: 'shop-fork' }),
    },
    before: () => play.service('shop-fork'),
  }),
  play => {
    const given = { service_id: play.parentId, name: 'readers', nodes: 1, ...sizes }
    const before = () => {
      const create = () => play.world.call(otherCaller, 'create-replica', { project_id: projectId, ...given })
      play.world.time.schedule(400_000, create)
    }
    return { operation: 'create-replica', given, before }
  },
  play => {
    const given = { name: 'network', cidr: '10.0.0.0/24', region_code: 'us-east-1' }
    const before = () => play.world.call(otherCaller, 'create-vpc', { project_id: projectId, ...given })
    return { operation: 'create-vpc', given, before }
  },
  play => {
    const vpc = { project_id: projectId, name: 'network', cidr: '10.0.0.0/24', region_code: 'us-east-1' }
    const vpc_id = play.world.call(otherCaller, 'create-vpc', vpc) as string
    const given = { vpc_id, ...peer }
    const before = () => play.world.call(otherCaller, 'create-peering', { project_id: projectId, ...given })
    return { operation: 'create-peering', given, before }
  },
]

export function createStory(play: StoryBuilder): Story {
  const { operation, given, before } = play.chance.pick(creations)(play)
  if (play.chance.hits(0.3)) before()
  const settings = play.settings({
    cleanup: play.cleanup(),
    wait: play.chance.hits(0.8),
    waitForConnection: play.chance.hits(0.3),
  })
  const patience = play.chance.pick([30 * 60_000, 30 * 60_000, 90_000, 5000])
  return play.story(operation, [play.job(operation, operation, given, { settings, patience })], alone)
}

export function changeStory(play: StoryBuilder): Story {
  const service_id = play.service('shop')
  const changes: [string, GivenParameters][] = [
    ['resize-service', { cpu_millis: '1000', memory_gbs: '4' }],
    ['stop-service', {}],
    ['set-environment', { environment: 'PROD' }],
    ['set-ha', { replica_count: 1 }],
    ['enable-pooler', {}],
    ['rename-service', { name: 'shop-2' }],
    ['update-password', { password: 'a-new-password' }],
    ['get-connection', {}],
    ['delete-service', {}],
  ]
  const [operation, more] = play.chance.pick(changes)
  if (operation === 'delete-service') play.foreign.splice(play.foreign.indexOf(service_id), 1)
  const patience = play.chance.pick([10 * 60_000, 60_000, 3000])
  return play.story(operation, [play.job(operation, operation, { service_id, ...more }, { patience })], alone)
}
