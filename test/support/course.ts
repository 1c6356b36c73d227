import type { Course, StatusChange } from '#operations/base/outcome'

/** The course of a step that did nothing but wait for one service. */
export const courseOf = (milliseconds: number, history: StatusChange[]): Course => ({
  milliseconds,
  waited: milliseconds,
  stretches: [
    {
      ...{ name: 'waiting for service s1 to be ready', from: 0, until: milliseconds, isWait: true },
      watched: { id: 's1', history },
    },
  ],
})
