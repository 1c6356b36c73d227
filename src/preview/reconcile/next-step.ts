/** Decides the next step from the observed to the desired state of one preview. Pure: it reads nothing and changes nothing. */

/** The status of a service by its last record, as far as a decision depends on it. */
export type Condition = 'ready' | 'changing' | 'deleting'

/** One database of the preview, as this run has observed it so far. */
export interface ObservedService {
  id: string
  condition: Condition
  /** `unknown`: a young record may name its parent late. `not owned`: the guard forbids to use or delete it. */
  ownership: 'owned' | 'unknown' | 'not owned'
  /** Its record names no parent yet, nor does a note in its database: it may be a fork without a quarantine. */
  isQuarantineUnknown: boolean
  /** It existed when the reset began, so the reset deletes it. */
  isReplaced: boolean
  hasPassword: boolean
  isQuarantined: boolean
  /** Every list now shows each older database of the preview, or the time for waiting is over. */
  areListsComplete: boolean
  /** `unmasked`: a required masking stamp is missing. `outdated`: the database does not fit the migrations. */
  contents: 'unprepared' | 'unmasked' | 'outdated' | 'prepared'
  /** A connection was tried, or none is requested. */
  isConnected: boolean
  /** Why this run does not delete it, although the desired state excludes it. */
  reasonKept?: string | undefined
}

export interface Observed {
  /** Not in status DELETED, oldest first: every run keeps the first one. Empty until a list was read. */
  services: ObservedService[]
  /** `outdated`: only a new list shows the latest event. */
  list: 'unread' | 'current' | 'outdated'
  /** How often the list became outdated because a database was lost or replaced by another run. */
  interruptions: number
  /** This run created a database, and this or another run deleted it. */
  isCreatedLost: boolean
  /** Why the pull request gets no preview, by GitHub's last answer. */
  refusal: string | undefined
  /** Whether `paths` allows a new database. `reason`: no changed file matches. Existing databases stay in any case. */
  need: 'unknown' | 'given' | { reason: string }
  /** GitHub answered in the step just before. */
  isPullRequestFresh: boolean
  /** The oldest database was read by its id in the step just before, and exists. */
  isKeptFresh: boolean
  /** The reset has checked that its new database can be created and the old ones may be deleted. */
  isReplacementChecked: boolean
}

export interface Desired {
  databases: 'one' | 'none'
  onlyConnects?: boolean
  replaces?: boolean
  /** Uses an existing database, or none. */
  isHurried?: boolean
}

/** The steps on the preview as a whole. */
export type PreviewStep =
  | 'list services'
  | 'check pull request'
  | 'check changed files'
  | 'check replacement'
  | 'create'
  | 'wait for successor'
  | 'wait for creation'
  | 'give up'
  | 'finish without'

/** The steps on one of its services. */
export type ServiceStep =
  | 'delete duplicate'
  | 'delete replaced'
  | 'delete refused'
  | 'delete unmasked'
  | 'wait until gone'
  | 'wait until ready'
  | 'wait for parent'
  | 'set password'
  | 'quarantine'
  | 'wait for complete lists'
  | 'read kept'
  | 'prepare'
  | 'replace outdated'
  | 'connect'
  | 'refuse'
  | 'publish'

/** `id` names the service concerned. */
export type Step = { do: PreviewStep; reason: string } | { do: ServiceStep; id: string; reason: string }

/** Interruptions by other runs after which this run gives up. */
export const mostInterruptions = 12

type Rule = (observed: Observed, desired: Desired) => Step | undefined

const isAlive = ({ condition }: ObservedService) => condition !== 'deleting'

/** The databases that may be the preview, oldest first. The first one is kept. */
const candidates = ({ services }: Observed) =>
  services.filter(service => isAlive(service) && !service.isReplaced)

/** Reads the list first: no decision is made from an outdated list. */
const readList: Rule = ({ list, interruptions }) => {
  if (list === 'current') return undefined
  if (interruptions >= mostInterruptions)
    return { do: 'give up', reason: 'other runs keep changing this preview' }
  return { do: 'list services', reason: list === 'unread' ? 'nothing is known yet' : 'the list is outdated' }
}

/** Ends without a database if `paths` excludes the pull request. Only a creation depends on `paths`, never a deletion. */
const checkNeed = ({ need }: Observed): Step | undefined => {
  if (need === 'given') return undefined
  if (need === 'unknown')
    return { do: 'check changed files', reason: 'only matching files call for a database' }
  return { do: 'finish without', reason: need.reason }
}

/** For a run that only connects: waits until another run has created the database. */
const onlyConnect: Rule = (observed, { onlyConnects, isHurried }) => {
  if (!onlyConnects) return undefined
  const { refusal, isPullRequestFresh } = observed
  const [kept] = candidates(observed)
  if (kept) {
    const { id } = kept
    if (!kept.areListsComplete && !isHurried)
      return { do: 'wait for complete lists', id, reason: 'lists may not show an older database yet' }
    if (kept.isQuarantineUnknown && !isHurried)
      return { do: 'wait for parent', id, reason: 'it may be a fork without a quarantine' }
    return { do: 'publish', id, reason: 'it is the oldest database of the preview' }
  }
  if (refusal !== undefined) return { do: 'finish without', reason: refusal }
  const unneeded = checkNeed(observed)
  if (unneeded) return unneeded
  if (!isPullRequestFresh) return { do: 'check pull request', reason: 'there is no database' }
  return { do: 'wait for creation', reason: 'the pull request gets a preview, and this run creates none' }
}

/** For a preview that must not exist: deletes every database, one after the other, and waits until each is gone. */
const deleteAll: Rule = ({ services, refusal }, { databases }) => {
  if (databases === 'one' && refusal === undefined) return undefined
  const rest = services.filter(({ reasonKept }) => reasonKept === undefined)
  const [alive] = rest.filter(isAlive)
  const reason = refusal ?? 'the preview is to be deleted'
  if (alive) return { do: 'delete refused', id: alive.id, reason }
  const [deleting] = rest
  if (deleting) return { do: 'wait until gone', id: deleting.id, reason: 'its deletion was accepted' }
  return { do: 'finish without', reason }
}

/** A reset deletes the earlier databases first: of two, other runs would keep the older one. */
const replace: Rule = ({ services, isReplacementChecked }, { replaces }) => {
  const stale = services.filter(({ isReplaced }) => isReplaced)
  if (replaces && !isReplacementChecked)
    return { do: 'check replacement', reason: 'nothing is deleted before a new database can be created' }
  const [alive] = stale.filter(isAlive)
  if (alive) return { do: 'delete replaced', id: alive.id, reason: 'a reset replaces it' }
  const [deleting] = stale
  return deleting && { do: 'wait until gone', id: deleting.id, reason: 'a reset replaces it' }
}

/** Creates a database after the earlier ones are gone. A run does not replace its own lost database. */
const create: Rule = observed => {
  if (candidates(observed).length > 0) return undefined
  const unneeded = checkNeed(observed)
  if (unneeded) return unneeded
  const { isCreatedLost, services, isPullRequestFresh } = observed
  const [deleting] = services
  if (isCreatedLost && !isPullRequestFresh && !deleting)
    return { do: 'check pull request', reason: 'the database of this run was deleted' }
  if (deleting)
    return { do: 'wait until gone', id: deleting.id, reason: 'a new database is created after that' }
  if (isCreatedLost)
    return { do: 'wait for successor', reason: 'the run that deleted it may be creating the next' }
  if (!isPullRequestFresh) return { do: 'check pull request', reason: 'a new database costs money' }
  return { do: 'create', reason: 'the preview has no database' }
}

function prepare({ id, contents }: ObservedService): Step {
  if (contents === 'unmasked') return { do: 'delete unmasked', id, reason: 'it has no masking stamp' }
  if (contents === 'outdated')
    return { do: 'replace outdated', id, reason: 'it does not fit the migrations of the pull request' }
  return { do: 'prepare', id, reason: 'its contents are not known to be complete' }
}

function publish({ id, isConnected }: ObservedService, { isPullRequestFresh }: Observed): Step {
  if (!isConnected) return { do: 'connect', id, reason: 'READY does not mean reachable' }
  if (!isPullRequestFresh)
    return { do: 'check pull request', reason: 'it may have been closed in the meantime' }
  return { do: 'publish', id, reason: 'it is READY, owned and prepared' }
}

/** Completes the kept database, and deletes its duplicates: the first missing step. */
const finish: Rule = observed => {
  const [kept, ...duplicates] = candidates(observed)
  if (kept === undefined) return undefined
  const { id } = kept
  if (kept.ownership === 'not owned') return { do: 'refuse', id, reason: 'it has another owner' }
  if (kept.condition !== 'ready') return { do: 'wait until ready', id, reason: 'it is not READY' }
  if (kept.ownership === 'unknown' || kept.isQuarantineUnknown)
    return { do: 'wait for parent', id, reason: 'its record names no parent yet' }
  if (!kept.hasPassword) return { do: 'set password', id, reason: 'its password may not be the derived one' }
  if (!kept.isQuarantined) return { do: 'quarantine', id, reason: 'a fork may still act like its parent' }
  if (!kept.areListsComplete)
    return { do: 'wait for complete lists', id, reason: 'lists may not show an older database yet' }
  const [duplicate] = duplicates
  if (duplicate?.ownership === 'not owned')
    return { do: 'refuse', id: duplicate.id, reason: 'it has the name of the preview and another owner' }
  if (duplicate && !observed.isKeptFresh)
    return { do: 'read kept', id, reason: 'the list may be behind its deletion by another run' }
  if (duplicate) return { do: 'delete duplicate', id: duplicate.id, reason: `all runs keep the older ${id}` }
  return kept.contents === 'prepared' ? publish(kept, observed) : prepare(kept)
}

/** The first rule that returns a step decides. */
const rules: Rule[] = [readList, onlyConnect, deleteAll, replace, create, finish]

export function nextStep(observed: Observed, desired: Desired): Step {
  for (const rule of rules) {
    const step = rule(observed, desired)
    if (step !== undefined) return step
  }
  throw new Error('no rule applies to the observed state of the preview')
}
