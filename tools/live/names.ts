/** The names of the records of a walk. */
import { randomInt } from 'node:crypto'

const parts = ['main', 'fork', 'snapshot', 'paused', 'replica', 'renamed'] as const

/** The prefix of all names of one run, which is unique. */
export const nameRun = () => `live-check-${randomInt(36 ** 7, 36 ** 8).toString(36)}`

/** The second one is that of a preview whose `name_prefix` is the run's name (src/preview/base/name.ts). */
const grammar = new RegExp(
  `^live-check-[a-z0-9]{8}-(?:${parts.join('|')}|pr-\\d{1,10}-[0-9a-f]{8}-[a-z0-9]{6})$`,
)

/** Whether any run of this tool created the record: nothing else is ever changed or deleted. */
export const isOwnedByTool = ({ name }: { name?: string | undefined }) => grammar.test(name ?? '')

/** The name of a record of the run. */
export const nameOf = (run: string, part: (typeof parts)[number]) => `${run}-${part}`
