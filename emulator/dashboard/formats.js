import { page } from './page.js'

/** The names that the action gives to previews. */
export const preview = /^(.*)-(pr-\d+|mq-[0-9a-f]+)-[0-9a-f]{8}(-[0-9a-z]+)?$/

const tones = {
  READY: 'good',
  active: 'good',
  CREATED: 'good',
  PAUSED: 'rest',
  DELETED: 'rest',
  UNSTABLE: 'bad',
  error: 'bad',
  INVALID: 'bad',
}
export const toneOf = status => tones[status] ?? 'busy'

export function renderAge(created) {
  const seconds = Math.max(0, Math.floor((Date.parse(page.latest.now) - Date.parse(created)) / 1000))
  const units = [
    ['d', 86400],
    ['h', 3600],
    ['m', 60],
  ]
  const [unit, length] = units.find(one => seconds >= one[1]) ?? ['s', 1]
  return `${Math.floor(seconds / length)} ${unit}`
}

export function renderBytes(bytes) {
  return bytes === undefined ? '–' : `${(bytes / 2 ** 20).toFixed(bytes < 100 * 2 ** 20 ? 1 : 0)} MB`
}

export function renderSize(cpu, memory) {
  return cpu === undefined || memory === undefined ? 'shared' : `${cpu / 1000} CPU, ${memory} GB`
}

/** The connection: with the password as an address to copy, without it short enough for one line. */
export function connection({ host, port }, password) {
  const place = `${host}:${port}/tsdb`
  if (password === undefined) return place
  return `postgresql://tsdbadmin:${encodeURIComponent(password)}@${place}?sslmode=require`
}
