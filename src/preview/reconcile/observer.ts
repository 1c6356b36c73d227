/** Collects the observations of one run on the databases of a preview. Lists may lag, and other runs change the databases. */
import type { Service } from '#api/records'
import { isEnding, isReady } from '#api/service-states'
import type { Calls } from '#operations/base/context'
import { type Creation, mostRequests } from '#operations/create/create-once'
import { byAge } from '#operations/create/intent'
import { longestReadLag } from '#operations/wait/settled'
import { reasonToKeepPreview } from '../base/guard.ts'
import { findPreviews, type Preview } from '../base/identity.ts'
import { ageOf } from '../base/services.ts'
import type { Finished } from '../prepare/preparation.ts'
import type { Condition, Observed, ObservedService } from './next-step.ts'

/** The facts that this run has observed about one service, beside its newest record. */
interface Knowledge
  extends Pick<
    ObservedService,
    'isReplaced' | 'isQuarantined' | 'areListsComplete' | 'contents' | 'reasonKept'
  > {
  /** When this run first observed the service; a moment of the seam's `now`. */
  readonly since: number
  /** Its record once it was READY. */
  ready?: Service | undefined
  /** The wait for its parent is over. */
  isParentRead?: boolean
  /** Its database showed no note while its record named no parent. */
  isQuarantineUnknown?: boolean
  isDeletionAccepted?: boolean
  /** When this run first tried its database; a moment of the seam's `now`. */
  firstTriedAt?: number
  password?: string | undefined
  isPasswordNew?: boolean
  /** Why its contents are not as required. */
  failure?: unknown
  finished?: Extract<Finished, { state: unknown }>
  /** Its record with all addresses, after a connection was tried. */
  connected?: Service
  /** This run enabled its pooler. */
  isChanged?: boolean
}

const initialKnowledge = {
  isReplaced: false,
  isQuarantined: false,
  areListsComplete: false,
  contents: 'unprepared',
} as const

export class Observer implements Observed {
  creation: Creation<Service> | undefined
  isRecreated = false
  /** The creating requests that this run may still send. */
  requestsLeft = mostRequests
  refusal: string | undefined
  need: Observed['need'] = 'unknown'
  isPullRequestFresh = false
  isKeptFresh = false
  isReplacementChecked = false
  hasWaited = false
  interruptions = 0
  isInterrupted = false
  list: Observed['list'] = 'unread'
  /** The time of the newest list request; a moment of the seam's `now`. */
  listedAt = 0
  readonly otherPrefixes = new Set<string>()
  #listed: Service[] = []
  isCreatedListed = false
  /** The newest list was read so late that it must show the database of this run. */
  #isListLate = false
  readonly #gone = new Set<string>()
  readonly #knowledge = new Map<string, Knowledge>()
  readonly #context: Calls
  readonly #preview: Preview

  constructor(context: Calls, preview: Preview) {
    this.#context = context
    this.#preview = preview
  }

  knowledgeOf(id: string): Knowledge {
    const known = this.#knowledge.get(id) ?? { ...initialKnowledge, since: this.#context.seam.now() }
    this.#knowledge.set(id, known)
    return known
  }

  isCreatedHere(id: string): boolean {
    return this.creation?.record.service_id === id
  }

  /** The database that this run created, unless it was deleted since. */
  get created(): Service | undefined {
    return this.creation && !this.#gone.has(this.creation.record.service_id)
      ? this.creation.record
      : undefined
  }

  /** Whether every list would show the database of this run if it still existed. */
  get isCreatedOverdue(): boolean {
    const since = this.#knowledge.get(this.creation?.record.service_id ?? '')?.since ?? 0
    return this.#context.seam.now() - since >= longestReadLag
  }

  isListed(id: string): boolean {
    return this.#listed.some(({ service_id }) => service_id === id)
  }

  /** The newest records, oldest first; includes this run's own even before lists show it. */
  get #records(): Service[] {
    const listed = this.#listed.filter(({ service_id }) => !this.#gone.has(service_id))
    const { created } = this
    const isMissing = created !== undefined && !this.isListed(created.service_id)
    const records = isMissing && !this.#isListLate ? [...listed, created] : listed
    return records.toSorted(byAge('service'))
  }

  /** @throws TypeError if this run has not observed the service */
  record(id: string): Service {
    const { ready, connected } = this.knowledgeOf(id)
    const found = connected ?? ready ?? this.#records.find(({ service_id }) => service_id === id)
    if (found === undefined) throw new TypeError(`service ${id} was not observed`)
    return found
  }

  async readList(): Promise<void> {
    this.isInterrupted = false
    this.listedAt = this.#context.seam.now()
    const found = await findPreviews(this.#context, this.#preview, this.otherPrefixes)
    this.#listed = found.filter(({ service_id }) => !this.#gone.has(service_id))
    for (const { service_id } of this.#listed) this.knowledgeOf(service_id)
    if (this.#listed.some(({ service_id }) => this.isCreatedHere(service_id))) this.isCreatedListed = true
    if (this.#listed.length > 0) this.need = 'given'
    this.#isListLate = this.isCreatedOverdue
    this.list = 'current'
  }

  outdateList(): void {
    this.list = 'outdated'
  }

  /** Another run, or a person, has changed the preview during this run. */
  noteInterruption(): void {
    this.interruptions += 1
    this.isInterrupted = true
    this.outdateList()
  }

  noteCreated(creation: Creation<Service>): void {
    this.creation = creation
    this.requestsLeft -= creation.intent.posts
    this.knowledgeOf(creation.record.service_id)
    this.outdateList()
  }

  /** A service is gone by a 404, its status or its deletion by this run: lagging lists may still show it. */
  noteGone(id: string): void {
    this.#gone.add(id)
    this.#knowledge.delete(id)
    this.outdateList()
  }

  /**
   * The moment of the seam's `now` from which every list shows all older databases: `list_lag` after its creation, by
   * the server's clock. For a database of this run, `since` counts as its creation.
   * @param unknownAge milliseconds for a record without a date
   */
  completeFrom(service: Service, unknownAge: number): number {
    const { seam, settings } = this.#context
    const { since } = this.knowledgeOf(service.service_id)
    const age = this.isCreatedHere(service.service_id) ? 0 : (ageOf(this.#context, service) ?? unknownAge)
    return Math.min(since, seam.now() - age) + settings.listLag
  }

  /** Whether another run may have forked it, and no wait for its parent is over. Its record may name the parent late. */
  mayLackParent(id: string): boolean {
    return !this.isCreatedHere(id) && this.knowledgeOf(id).isParentRead !== true
  }

  /** Whether the owner is unknown because the record names no parent. A new record may name it late. */
  #isParentPending({ service_id, forked_from }: Service): boolean {
    const isParentNeeded = this.#preview.parentId !== undefined
    return isParentNeeded && forked_from?.service_id === undefined && this.mayLackParent(service_id)
  }

  /** Why a service with the name of the preview has another owner; undefined while the owner is unknown. */
  reasonAgainst(service: Service): string | undefined {
    const preview = this.#preview
    if (service.service_id === preview.parentId) return 'it is the parent'
    const isTrusted = this.isCreatedHere(service.service_id) || this.#isParentPending(service)
    return reasonToKeepPreview(service, isTrusted ? { ...preview, parentId: undefined } : preview)
  }

  #ownershipOf(service: Service): ObservedService['ownership'] {
    const { maskedFrom } = this.#preview
    const isUnmasked = maskedFrom !== undefined && service.forked_from?.service_id === maskedFrom
    if (isUnmasked || this.reasonAgainst(service) !== undefined) return 'not owned'
    return this.#isParentPending(service) ? 'unknown' : 'owned'
  }

  #conditionOf(service: Service): Condition {
    const { isDeletionAccepted, ready } = this.knowledgeOf(service.service_id)
    if (isDeletionAccepted || isEnding(service)) return 'deleting'
    return ready !== undefined || isReady(service) ? 'ready' : 'changing'
  }

  #observe(listed: Service): ObservedService {
    const id = listed.service_id
    const known = this.knowledgeOf(id)
    return {
      ...known,
      id,
      condition: this.#conditionOf(listed),
      ownership: this.#ownershipOf(this.record(id)),
      isQuarantineUnknown: known.isQuarantineUnknown === true && known.isParentRead !== true,
      hasPassword: known.password !== undefined,
      isConnected: known.connected !== undefined,
    }
  }

  get services(): ObservedService[] {
    return this.#records.map(service => this.#observe(service))
  }

  get isCreatedLost(): boolean {
    return this.creation !== undefined && !this.alive.some(({ id }) => this.isCreatedHere(id))
  }

  /** The services that are not being deleted, oldest first. */
  get alive(): ObservedService[] {
    return this.services.filter(({ condition }) => condition !== 'deleting')
  }
}
