/** Builds the timeline of a step. */
import type { StatusChange, Timeline } from '#operations/base/outcome'

/** The timeline of a step that only waited for one service. */
export const timelineOf = (milliseconds: number, history: StatusChange[]): Timeline => ({
  milliseconds,
  waited: milliseconds,
  spans: [
    {
      ...{ name: 'waiting for service s1 to be ready', from: 0, until: milliseconds, isWait: true },
      watched: { id: 's1', history },
    },
  ],
})
