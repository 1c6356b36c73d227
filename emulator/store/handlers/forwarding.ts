/** Opens and closes second addresses. */
import type { HandlerContext } from '../handler.ts'
import { begin } from '../progress/work.ts'
import { conflict } from '../refusal.ts'
import type { Forwarding } from '../state.ts'

interface Owner {
  /** The service or replica set that connections are forwarded to. */
  id: string
  serviceId: string
}

/** The operation whose times the work has. */
const operations = {
  pooler: { open: 'enable-pooler', close: 'disable-pooler' },
  vpc: { open: 'attach-vpc', close: 'detach-vpc' },
} as const

/** Starts opening a second address. */
export function open(context: HandlerContext, owner: Owner, purpose: 'pooler' | 'vpc'): Forwarding {
  const effect = context.start({
    kind: 'open-forwarder',
    serviceId: owner.serviceId,
    targetId: owner.id,
    purpose,
  })
  return {
    address: undefined,
    work: begin(context, operations[purpose].open, { kind: 'open' }, [effect]),
  }
}

function closeEffect(context: HandlerContext, owner: Owner, purpose: 'pooler' | 'vpc'): string {
  return context.start({ kind: 'close-forwarder', serviceId: owner.serviceId, targetId: owner.id, purpose })
}

/** Starts closing a second address. */
export function close(
  context: HandlerContext,
  owner: Owner,
  purpose: 'pooler' | 'vpc',
  forwarding: Forwarding,
): void {
  const effect = closeEffect(context, owner, purpose)
  forwarding.work = begin(context, operations[purpose].close, { kind: 'close' }, [effect])
}

/** Closes a second address as part of other work; returns the effects that this work must wait for. */
export function closeForwarderWith(
  context: HandlerContext,
  owner: Owner,
  purpose: 'pooler' | 'vpc',
  forwarding: Forwarding | undefined,
): string[] {
  const isThere = forwarding !== undefined && forwarding.work?.change.kind !== 'close'
  return isThere ? [closeEffect(context, owner, purpose)] : []
}

/** A service or replica set, which may have a pooler. */
interface Pooled {
  id: string
  pooler: Forwarding | undefined
}

/** Starts opening the pooler, unless there is one. Refuses while it is being closed. */
export function enablePooler(context: HandlerContext, serviceId: string, target: Pooled) {
  const { id, pooler } = target
  if (pooler?.work?.change.kind === 'close')
    throw conflict(`the pooler of ${id} is being disabled; try again later`)
  target.pooler ??= open(context, { id, serviceId }, 'pooler')
  return { message: 'Connection pooler enabled' }
}

/** Starts closing the pooler, if there is one. */
export function disablePooler(context: HandlerContext, serviceId: string, { id, pooler }: Pooled) {
  if (pooler && pooler.work?.change.kind !== 'close') close(context, { id, serviceId }, 'pooler', pooler)
  return { message: 'Connection pooler disabled' }
}
