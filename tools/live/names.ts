// The names of the records of a walk.

import { randomInt } from 'node:crypto'

/** The records of a run, by the last part of the name. */
export type Part = 'main' | 'fork' | 'snapshot' | 'paused' | 'replica' | 'vpc' | 'renamed'

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'
const randomLength = 8

/** The prefix of all names of one run, which is unique. */
export const nameRun = () =>
  `live-check-${Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('')}`

/** The second one is that of a preview whose `name_prefix` is the run's name (src/preview/base/name.ts). */
const grammar = new RegExp(
  `^live-check-[a-z0-9]{${randomLength}}-(?:main|fork|snapshot|paused|replica|vpc|renamed|pr-\\d{1,10}-[0-9a-f]{8}-[a-z0-9]{6})$`,
)

/** Whether any run of this tool created the record: nothing else is ever changed or deleted. */
export const isOurs = ({ name }: { name?: string | undefined }) => grammar.test(name ?? '')

export const nameOf = (run: string, part: Part) => `${run}-${part}`
