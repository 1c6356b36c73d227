import { renderDuration } from '#base/duration'
import { messageOf } from '#base/errors'
import { type Poll, poll } from '#base/poll'
import type { Waiting } from '../base/context.ts'
import type { Stretch } from '../base/outcome.ts'
import type { Parts } from '../base/parts.ts'

/** Milliseconds of silence after which a wait says that it still goes on. */
const heartbeat = 30_000

/** The most milliseconds between two lines of a wait: it looks, rests and looks again before it says that it goes on. */
const longestSilence = heartbeat + 7000

/** Milliseconds after which a wait that should be over goes on. */
const overtime = 1000

/** What is awaited, and why. */
export interface Awaited {
  /** As after the word "waiting": `for service s1 to be ready`. */
  what: string
  /** Why that is needed, where `what` does not tell. */
  why?: string
  /** For the summary. Its history may grow while the wait goes on. */
  watched?: NonNullable<Stretch['watched']>
}

const because = ({ why }: Awaited) => (why === undefined ? '' : `: ${why}`)

/** Names a wait when it begins, and logs its progress, each line with the time it has taken so far. */
export class WaitLog {
  #lastLine = 0
  #wait: ReturnType<Parts['wait']> | undefined
  #isNamed = false
  readonly #context: Waiting
  readonly #awaited: Awaited
  readonly #start: number

  constructor(context: Waiting, awaited: Awaited) {
    this.#context = context
    this.#awaited = awaited
    this.#start = context.seam.now()
  }

  /** Milliseconds since the wait began. */
  get elapsed(): number {
    return this.#context.seam.now() - this.#start
  }

  #spoken(silence = 0): void {
    this.#lastLine = this.elapsed
    this.#wait?.quiet(Math.max(silence, longestSilence))
  }

  /** Says what is awaited, and for how many milliseconds at most. Only the first time, so it may stand in a loop. */
  name(most: number): void {
    if (this.#isNamed) return
    this.#isNamed = true
    const { what, watched } = this.#awaited
    const { log, parts } = this.#context
    this.#wait = parts.wait({ name: `waiting ${what}`, ...(watched && { watched }) }, this.#start)
    log.info(`waiting up to ${renderDuration(Math.max(0, most))} ${what}${because(this.#awaited)}`)
    this.#spoken()
    this.#wait?.quiet(Math.min(most + overtime, longestSilence))
  }

  /** `silence`: how many milliseconds may pass until the next line, where this one says that they are many. */
  tell(line: string, silence?: number): void {
    this.#context.log.info(`[${renderDuration(this.elapsed)}] ${line}`)
    this.#spoken(silence)
  }

  /** Like `tell`, unless something was told less than half a minute ago. */
  remind(line: string): void {
    if (this.elapsed - this.#lastLine >= heartbeat) this.tell(line)
  }

  /** The wait is over. */
  end(): void {
    this.#wait?.end()
  }
}

/** Runs a wait of unknown length. It is named only once `run` calls `name`: what is there at once needs no words. */
export async function waitUpTo<Result>(
  context: Waiting,
  awaited: Awaited,
  run: (log: WaitLog) => Promise<Result>,
): Promise<Result> {
  const log = new WaitLog(context, awaited)
  try {
    return await run(log)
  } finally {
    log.end()
  }
}

/** A wait that polls: its name, its timing, its status check, and the line that it logs each half minute. */
export interface PollWait<Result> extends Awaited, Omit<Poll<Result>, 'check' | 'onPause'> {
  /** Logged while the check gives nothing. */
  pending?: string
  check(log: WaitLog): Promise<Result | undefined>
}

/** Polls with the lines of a wait. Gives undefined when the deadline came before a result. */
export async function waitFor<Result>(
  context: Waiting,
  { what, why, watched, pending, check, ...timing }: PollWait<Result>,
): Promise<Result | undefined> {
  return await waitUpTo(context, { what, ...(why && { why }), ...(watched && { watched }) }, log =>
    poll(context, {
      ...timing,
      check: () => check(log),
      onPause: left => {
        log.name(left)
        if (pending !== undefined) log.remind(pending)
      },
    }),
  )
}

/** Rests after a line that has named the rest and its length. `name` is that for the summary. */
export async function restAfter(
  context: Waiting,
  { line, name, milliseconds }: { line: string; name: string; milliseconds: number },
): Promise<void> {
  const wait = context.parts.wait({ name })
  context.log.info(line)
  wait.quiet(milliseconds + overtime)
  try {
    await context.seam.sleep(milliseconds, context.signal)
  } finally {
    wait.end()
  }
}

/** Rests for the given milliseconds, after saying what for. */
export async function rest(context: Waiting, milliseconds: number, awaited: Awaited): Promise<void> {
  if (milliseconds <= 0) return
  const { what } = awaited
  const line = `waiting ${renderDuration(milliseconds)} ${what}${because(awaited)}`
  await restAfter(context, { line, name: `waiting ${what}`, milliseconds })
}

/** Reports each pause of the clients of the API and of GitHub, before it begins. */
export function reportPauses({ log, parts }: Pick<Waiting, 'log' | 'parts'>) {
  const report = (line: string, milliseconds: number, name = 'waiting to try again') => {
    log.info(line)
    parts.rest(name, milliseconds)
  }
  return {
    onRetry: (failure: unknown, delay: number) =>
      report(`${messageOf(failure)}; trying again in ${renderDuration(delay)}`, delay),
    onHold: (delay: number) =>
      report(`waiting ${renderDuration(delay)} before the next request: there were too many`, delay),
    onLimit: (delay: number) =>
      report(
        `waiting ${renderDuration(delay)} for GitHub: its rate limit is reached`,
        delay,
        "waiting for GitHub's rate limit",
      ),
  }
}
