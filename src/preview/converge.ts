import { endpoints } from '../api/endpoints.ts'
import type { Service } from '../api/records.ts'
import { serviceIs } from '../api/settled.ts'
import { renderDuration } from '../client/duration.ts'
import { ActionError, ApiError } from '../client/errors.ts'
import type { Context } from '../operations/context.ts'
import { type Creation, latestProcessing } from '../operations/create-once.ts'
import { byAge } from '../operations/intent.ts'
import { type SettledRecord, WaitError, waitUntilSettled } from '../operations/settled.ts'
import { reasonToKeep } from './guard.ts'
import { findPreviews, isEnding, type Preview } from './identity.ts'
import { removePreview, waitUntilGone } from './remove.ts'

/** The preview cannot be brought to rest. */
export class PreviewError extends ActionError {}

/** The one database of a preview, READY. */
export interface Converged {
  service: Service
  /** Whether this run made it. */
  created: boolean
  wait: Pick<SettledRecord, 'milliseconds' | 'history'> | undefined
}

type Make = () => Promise<Creation<Service>>

interface Made {
  service: Service
  /** True where it was found after a lost answer. */
  adopted: boolean
  /** When it was known: a moment of the seam's `now`. */
  at: number
  /** When the last request for it was sent, by the server's clock. */
  sent: number
  awaited: boolean
}

/** A new service may take this long to show up in the list (DESIGN rule 3). */
const appearance = 60_000

/** Runs of one pull request meet at most a few times; more rounds are a quarrel that no waiting ends. */
const mostRounds = 10

class Convergence {
  /** What this run made; awaited until the list shows it, or this run deletes it again. */
  private mine: Made | undefined
  private wait: Converged['wait']
  private readonly context: Context
  private readonly preview: Preview
  private readonly make: Make

  constructor(context: Context, preview: Preview, make: Make) {
    this.context = context
    this.preview = preview
    this.make = make
  }

  /** All of the name that are not on their way out, the oldest first; with what this run just made. */
  private async look(): Promise<{ alive: Service[]; ending: Service[] }> {
    const found = await findPreviews(this.context, this.preview)
    const alive = found.filter(service => !isEnding(service))
    const { mine } = this
    if (mine && found.some(({ service_id }) => service_id === mine.service.service_id)) mine.awaited = false
    const late = mine && this.context.seam.now() - mine.at >= appearance
    if (mine?.awaited && !late) alive.push(mine.service)
    alive.sort(byAge('service'))
    return { alive, ending: found.filter(isEnding) }
  }

  /** Nobody has the name: makes the database, once those of before are gone. */
  private async makeAnew(ending: Service[]): Promise<void> {
    const { context, preview, mine } = this
    if (mine) {
      throw new PreviewError(
        `the preview ${preview.name} (service ${mine.service.service_id}) was deleted while it was being made`,
        'run the step again if the pull request is still open',
      )
    }
    for (const { service_id } of ending) {
      context.log.info(
        `service ${service_id} (${preview.name}) is being deleted; a new one is made after that`,
      )
      await waitUntilGone(context, { project_id: preview.projectId, service_id })
    }
    const { record: service, adopted, intent } = await this.make()
    this.mine = { service, adopted, at: context.seam.now(), sent: intent.lastSent, awaited: true }
  }

  /**
   * Somebody else's service of the same name is neither used nor given a new password (DESIGN rule 5). What this
   * run made is its own, unless it was only found after a lost answer; and a record says only when it is READY, for sure, what it was forked from.
   */
  private assertOurs(service: Service): void {
    const own = !this.mine?.adopted && service.service_id === this.mine?.service.service_id
    const early = service.status !== 'READY' && service.forked_from?.service_id === undefined
    const owner = own || early ? { ...this.preview, parentId: undefined } : this.preview
    const reason =
      service.service_id === this.preview.parentId ? 'it is the parent' : reasonToKeep(service, owner)
    if (reason !== undefined) throw this.foreign(service, reason)
  }

  private foreign(service: Service, reason: string): PreviewError {
    return new PreviewError(
      `service ${service.service_id} has the name ${this.preview.name}, but ${reason}: it is left alone`,
      'rename or delete it by hand, or use another name_prefix; check service_id',
    )
  }

  /** Two runs made one each: all of them keep the oldest (DESIGN rule 2). */
  private async removeTwins(twins: Service[]): Promise<void> {
    for (const twin of twins) {
      this.context.log.info(`service ${twin.service_id} is a twin of the preview ${this.preview.name}`)
      const removal = await removePreview(this.context, twin, this.preview, { wait: false })
      if (!removal.deleted) throw this.foreign(twin, removal.reason)
      if (this.mine?.service.service_id === twin.service_id) this.mine.awaited = false
    }
  }

  private async start(ids: { project_id: string; service_id: string }): Promise<void> {
    // Any other status will do: another run may start it between two looks.
    const settled = serviceIs(10, service => service.status !== 'PAUSING')
    const wait = { settled, asked: {}, ids, justCreated: false, lookAtOnce: true }
    const { record } = await waitUntilSettled(this.context, wait)
    if ((record as Service).status !== 'PAUSED') return
    this.context.log.info(`service ${ids.service_id} is paused: starting it`)
    try {
      await this.context.client.call('start-service', ids)
    } catch (failure) {
      // 409: another run was quicker.
      if (!(failure instanceof ApiError && failure.status === 409)) throw failure
    }
  }

  /** Brings the kept one to READY; undefined where it went away meanwhile. */
  private async settle(kept: Service): Promise<Service | undefined> {
    if (kept.status === 'READY' && kept.endpoint) return kept
    const { context, preview, mine } = this
    const ids = { project_id: preview.projectId, service_id: kept.service_id }
    const justCreated = mine?.service.service_id === kept.service_id
    try {
      if (kept.status === 'PAUSED' || kept.status === 'PAUSING') await this.start(ids)
      const { settled } = endpoints['create-service']
      const { record, milliseconds, history } = await waitUntilSettled(context, {
        settled,
        asked: {},
        ids,
        justCreated,
        lookAtOnce: !justCreated,
      })
      this.wait = { milliseconds, history }
      return record as Service
    } catch (failure) {
      const { alive } = failure instanceof WaitError ? await this.look() : { alive: [kept] }
      if (alive.some(({ service_id }) => service_id === kept.service_id)) throw failure
      context.log.info(`service ${kept.service_id} went away; looking again`)
      return undefined
    }
  }

  /**
   * What was found after a lost answer may be another run's, and the request of this one be processed only now:
   * until that cannot be any more, a twin may still appear.
   */
  private async outlastLostRequest(): Promise<void> {
    const { seam, client, signal, log, deadline } = this.context
    const end = this.mine?.adopted ? this.mine.sent + latestProcessing : 0
    const left = end - client.date()
    if (left <= 0) return
    if (seam.now() + left > deadline) {
      log.warning(
        'the request whose answer was lost may still make a second database; the next run deletes it',
      )
      return
    }
    log.info(
      `waiting ${renderDuration(left)}: the request whose answer was lost may still make a second database`,
    )
    await seam.sleep(left, signal)
  }

  async run(): Promise<Converged> {
    for (let round = 0; round < mostRounds; round++) {
      if (round > 1) await this.context.seam.sleep(1000, this.context.signal)
      const { alive, ending } = await this.look()
      const [kept, ...twins] = alive
      if (kept === undefined) {
        await this.makeAnew(ending)
        continue
      }
      this.assertOurs(kept)
      await this.removeTwins(twins)
      const service = await this.settle(kept)
      if (service === undefined) continue
      this.assertOurs(service)
      await this.outlastLostRequest()
      // Once more: a run that started in the same moment may have made a twin since.
      const { alive: after } = await this.look()
      if (after.length === 1 && after[0]?.service_id === service.service_id) {
        return { service, created: this.mine?.service.service_id === service.service_id, wait: this.wait }
      }
    }
    throw new PreviewError(
      `the preview ${this.preview.name} does not come to rest: other runs keep changing it`,
      'use `concurrency` in the workflow, one group a pull request',
    )
  }
}

/**
 * Brings a preview to exactly one READY database, whatever there is of it (DESIGN rule 7): reuses, starts,
 * adopts, waits for one being deleted, or makes it.
 */
export function converge(context: Context, preview: Preview, make: Make): Promise<Converged> {
  return new Convergence(context, preview, make).run()
}
