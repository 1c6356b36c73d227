/** Tests every decision of the reconciliation. */
import { describe, expect, it } from 'vitest'
import {
  type Desired,
  mostInterruptions,
  nextStep,
  type Observed,
  type ObservedService,
  type Step,
} from '#preview/reconcile/next-step'

const booleans = [false, true]

/** All combinations of the given choices, one for each field. */
function* combine<T extends object>(choices: { [Field in keyof T]: readonly T[Field][] }): Generator<T> {
  const fields = Object.keys(choices) as (keyof T)[]
  const count = fields.reduce((product, field) => product * choices[field].length, 1)
  for (let number = 0; number < count; number++) {
    let rest = number
    const one = {} as T
    for (const field of fields) {
      one[field] = choices[field][rest % choices[field].length] as T[keyof T]
      rest = Math.floor(rest / choices[field].length)
    }
    yield one
  }
}

const services = [
  ...combine<ObservedService>({
    id: ['a'],
    condition: ['ready', 'changing', 'deleting'],
    ownership: ['owned', 'unknown', 'not owned'],
    isQuarantineUnknown: booleans,
    isReplaced: booleans,
    hasPassword: booleans,
    isQuarantined: booleans,
    areListsComplete: booleans,
    contents: ['unprepared', 'unmasked', 'outdated', 'prepared'],
    isConnected: booleans,
    reasonKept: [undefined, 'it is tagged PROD'],
  }),
].filter(({ isQuarantineUnknown, ...one }) => !isQuarantineUnknown || !(one.isQuarantined || one.isConnected))

/** The relevant states of an older or younger database beside that one. */
const others: ObservedService[][] = [
  [],
  ...services
    .filter(service => !service.isQuarantined && !service.isConnected && service.contents === 'unprepared')
    .filter(service => !service.hasPassword && !service.areListsComplete)
    .filter(service => !service.isQuarantineUnknown)
    .map(service => [{ ...service, id: 'b' }]),
]

const surroundings = [
  ...combine<Omit<Observed, 'services'>>({
    list: ['unread', 'current', 'outdated'],
    interruptions: [0, mostInterruptions],
    refusal: [undefined, 'pull request 7 is closed'],
    need: ['unknown', 'given', { reason: 'no file matches' }],
    isPullRequestFresh: booleans,
    isReplacementChecked: booleans,
    isKeptFresh: booleans,
    isCreatedLost: booleans,
  }),
]

const wishes: Desired[] = [
  { databases: 'one' },
  { databases: 'one', replaces: true },
  { databases: 'one', onlyConnects: true },
  { databases: 'one', onlyConnects: true, isHurried: true },
  { databases: 'none' },
]

function* observations(): Generator<Observed> {
  for (const rest of surroundings) {
    yield { ...rest, services: [] }
    // With an outdated list the services are irrelevant: one suffices.
    const first = rest.list === 'current' && rest.interruptions === 0 ? services : services.slice(0, 1)
    for (const service of first) {
      // The check itself marks databases for replacement.
      if (service.isReplaced && !rest.isReplacementChecked) continue
      yield { ...rest, services: [service] }
    }
  }
}

/** Every pair of databases, the first one older, on a current list. */
function* pairs(): Generator<Observed> {
  const calm: Omit<Observed, 'services'> = {
    list: 'current',
    interruptions: 0,
    refusal: undefined,
    need: 'given',
    isReplacementChecked: true,
    isPullRequestFresh: false,
    isKeptFresh: false,
    isCreatedLost: false,
  }
  const freshness = [{}, { isPullRequestFresh: true }, { isKeptFresh: true }]
  for (const fresh of freshness)
    for (const service of services.filter(({ isQuarantineUnknown }) => !isQuarantineUnknown))
      for (const [other] of others.slice(1)) {
        if (other === undefined) continue
        yield { ...calm, ...fresh, services: [service, other] }
        yield { ...calm, ...fresh, services: [other, service] }
      }
}

const changing: Step['do'][] = [
  'create',
  'delete duplicate',
  'delete replaced',
  'delete refused',
  'delete unmasked',
  'set password',
  'quarantine',
  'prepare',
  'replace outdated',
  'wait until ready',
]

/** The promises about one decision; each problem names a broken one. */
function problemsOf(observed: Observed, desired: Desired, step: Step): string[] {
  const problems: string[] = []
  const must = (isKept: boolean, promise: string) => {
    if (!isKept) problems.push(promise)
  }
  const alive = observed.services.filter(({ condition }) => condition !== 'deleting')
  const concerned = observed.services.find(({ id }) => 'id' in step && step.id === id)
  if (observed.list !== 'current')
    must(['list services', 'give up'].includes(step.do), 'nothing is decided by a list that is not current')
  if (desired.onlyConnects) must(!changing.includes(step.do), 'a run that only connects changes nothing')
  if (step.do === 'create') {
    must(observed.services.length === 0, 'creates only if no database is left')
    must(desired.databases === 'one', 'creates only if one is desired')
    must(observed.refusal === undefined, 'creates nothing for a pull request that gets no preview')
    must(observed.isPullRequestFresh, 'asks GitHub right before it creates')
    must(observed.need === 'given', 'creates nothing if no changed file matches')
    must(!observed.isCreatedLost, 'creates no second database in place of a lost one')
    must(!desired.replaces || observed.isReplacementChecked, 'a reset checks the parent first')
  }
  if (step.do === 'quarantine' || (step.do === 'publish' && !desired.isHurried))
    must(
      concerned?.isQuarantineUnknown === false,
      'waits for the parent of a service that may be a fork without a quarantine',
    )
  if (step.do === 'check changed files')
    must(
      alive.every(({ isReplaced }) => isReplaced),
      'reads changed files only if no database exists',
    )
  if (step.do === 'publish' && !desired.onlyConnects) {
    must(concerned === alive[0], 'publishes the oldest database')
    must(alive.length === 1, 'publishes only when no duplicate is left')
    must(
      concerned?.condition === 'ready' && concerned.ownership === 'owned',
      'publishes only a READY database that is owned',
    )
    must(
      concerned?.isQuarantined === true && concerned.hasPassword,
      'publishes nothing before its quarantine',
    )
    must(
      concerned?.contents === 'prepared' && concerned.isConnected,
      'publishes what is prepared and reachable',
    )
    must(concerned?.areListsComplete === true, 'publishes only when every list shows older databases')
    must(
      observed.refusal === undefined && observed.isPullRequestFresh,
      'publishes only for an open pull request',
    )
    must(concerned?.isReplaced === false, 'a reset does not publish the old database')
  }
  const allowedDeletions: Partial<Record<Step['do'], boolean>> = {
    'delete duplicate': concerned !== alive[0] && concerned?.ownership !== 'not owned',
    'delete replaced': concerned?.isReplaced === true && observed.isReplacementChecked,
    'delete refused': observed.refusal !== undefined || desired.databases === 'none',
    'delete unmasked': concerned?.contents === 'unmasked',
  }
  if (step.do in allowedDeletions) {
    must(concerned !== undefined && concerned.condition !== 'deleting', 'deletes only what is there')
    must(allowedDeletions[step.do] === true, `does not ${step.do} by mistake`)
    must(
      step.do !== 'delete duplicate' || observed.isKeptFresh,
      'reads the kept database right before it deletes a duplicate',
    )
    must(
      step.do !== 'delete refused' || concerned?.reasonKept === undefined,
      'does not try again to delete a service that it must keep',
    )
  }
  if (['set password', 'quarantine', 'prepare', 'connect'].includes(step.do))
    must(
      concerned?.ownership === 'owned' && concerned.condition === 'ready',
      'works only in READY databases that are owned',
    )
  if (step.do === 'finish without')
    must(
      observed.refusal !== undefined ||
        desired.databases === 'none' ||
        (typeof observed.need === 'object' && alive.every(({ isReplaced }) => isReplaced)),
      'ends without only for a reason',
    )
  return problems
}

function brokenPromises(all: Iterable<Observed>): Set<string> {
  const broken = new Set<string>()
  for (const observed of all)
    for (const desired of wishes) {
      const step = nextStep(observed, desired)
      for (const problem of problemsOf(observed, desired, step))
        broken.add(`${problem}: ${JSON.stringify({ step, observed, desired })}`)
      if (broken.size > 3) return broken
    }
  return broken
}

/** The observation after a successful step without interference. */
function succeed(observed: Observed, step: Step): Observed {
  const next = {
    ...observed,
    isPullRequestFresh: step.do === 'check pull request',
    isKeptFresh: step.do === 'read kept',
  }
  const known = (change: Partial<ObservedService>) => ({
    ...next,
    services: observed.services.map(one =>
      'id' in step && one.id === step.id ? { ...one, ...change } : one,
    ),
  })
  const id = 'id' in step ? step.id : ''
  const without = { ...next, services: observed.services.filter(one => one.id !== id) }
  const created = services.find(one => one.condition === 'changing' && one.ownership === 'owned')
  switch (step.do) {
    case 'list services':
      return { ...next, list: 'current' }
    case 'check replacement':
      return {
        ...next,
        isReplacementChecked: true,
        services: observed.services.map(one => ({ ...one, isReplaced: one.condition !== 'deleting' })),
      }
    case 'check changed files':
      return { ...next, need: 'given' }
    case 'create':
    case 'wait for creation':
    case 'wait for successor':
      return { ...next, list: 'outdated', services: [{ ...(created as ObservedService), id: 'c' }] }
    case 'delete replaced':
      return known({ condition: 'deleting' })
    case 'delete duplicate':
    case 'delete refused':
    case 'delete unmasked':
    case 'wait until gone':
      return { ...without, list: 'outdated' }
    case 'wait until ready':
      return known({ condition: 'ready' })
    case 'wait for parent':
      return known({ ownership: 'owned', isQuarantineUnknown: false })
    case 'set password':
      return known({ hasPassword: true })
    case 'quarantine':
      return known({ isQuarantined: true })
    case 'wait for complete lists':
      return { ...known({ areListsComplete: true }), list: 'outdated' }
    case 'prepare':
      return known({ contents: 'prepared' })
    case 'replace outdated':
      return { ...known({ isReplaced: true }), isReplacementChecked: true }
    case 'connect':
      return known({ isConnected: true })
    default:
      return next
  }
}

const last: Step['do'][] = ['publish', 'finish without', 'refuse', 'give up']

function stepsToTheEnd(start: Observed, desired: Desired): string[] {
  const steps: string[] = []
  for (let observed = start; steps.length < 40; ) {
    const step = nextStep(observed, desired)
    steps.push(step.do)
    if (last.includes(step.do)) return steps
    observed = succeed(observed, step)
  }
  return steps
}

describe('nextStep', () => {
  it('keeps every promise for each observation of one database', () => {
    expect([...brokenPromises(observations())]).toEqual([])
  })

  it('keeps every promise for each pair of databases', () => {
    expect([...brokenPromises(pairs())]).toEqual([])
  })

  it('ends from every observation if each step succeeds', () => {
    const endless = new Set<string>()
    for (const observed of observations()) {
      // Any step but a question ends the freshness of answers, and that observation is among these.
      if (observed.isPullRequestFresh || observed.isKeptFresh) continue
      for (const desired of wishes) {
        const steps = stepsToTheEnd(observed, desired)
        if (!last.includes(steps.at(-1) as Step['do']))
          endless.add(JSON.stringify({ observed, desired, steps }))
        if (endless.size > 2) break
      }
    }
    expect([...endless]).toEqual([])
  })

  it.each<[string, Desired, Step['do'][]]>([
    [
      'one database',
      { databases: 'one' },
      [
        ...([
          'list services',
          'check changed files',
          'check pull request',
          'create',
          'list services',
        ] as const),
        ...(['wait until ready', 'set password', 'quarantine', 'wait for complete lists'] as const),
        ...(['list services', 'prepare', 'connect', 'check pull request', 'publish'] as const),
      ],
    ],
    [
      'a connection',
      { databases: 'one', onlyConnects: true },
      [
        ...([
          'list services',
          'check changed files',
          'check pull request',
          'wait for creation',
          'list services',
        ] as const),
        ...(['wait for complete lists', 'list services', 'publish'] as const),
      ],
    ],
    ['none', { databases: 'none' }, ['list services', 'finish without']],
  ])('from no database to %s', (_, desired, expected) => {
    const nothing: Observed = {
      services: [],
      list: 'unread',
      interruptions: 0,
      isCreatedLost: false,
      refusal: undefined,
      need: 'unknown',
      isPullRequestFresh: false,
      isKeptFresh: false,
      isReplacementChecked: false,
    }
    expect(stepsToTheEnd(nothing, desired)).toEqual(expected)
  })
})
