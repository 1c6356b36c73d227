import { $, element } from './elements.js'

const mostShown = 200
let known = []

/** The number of the newest displayed event. */
export const newestEvent = () => known.reduce((most, { number }) => Math.max(most, number), 0)

/** Adds events to the list, newest first. */
export function showEvents(fresh) {
  if (fresh.length === 0) return
  known = [...known, ...fresh].slice(-mostShown)
  const newestFirst = [...known].sort(
    (one, other) => other.at.localeCompare(one.at) || other.number - one.number,
  )
  $('#timeline ol').replaceChildren(
    ...newestFirst.map(event => {
      const at = new Date(event.at)
      const time = element('time', { dateTime: event.at }, at.toLocaleTimeString([], { hour12: false }))
      if (event.kind === 'request') {
        const status = element(
          'span',
          { className: event.status >= 400 ? 'bad' : '' },
          String(event.status ?? 'none'),
        )
        const what = element('span', { className: 'what' }, event.operation ? ` ${event.operation}` : '')
        return element('li', {}, time, status, element('span', {}, `${event.method} ${event.path}`, what))
      }
      const tone = event.severity === 'ERROR' ? 'bad' : ''
      return element(
        'li',
        {},
        time,
        element('span', { className: 'what' }, 'status'),
        element('span', { className: tone }, `${event.name}: ${event.message}`),
      )
    }),
  )
}
