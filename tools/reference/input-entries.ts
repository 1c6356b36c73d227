/** The inputs of the reference. */
import { inputTable, ownInputs } from '#action/inputs/input-table'
import { operations } from '#action/inputs/operation-table'
import type { Operation } from '#operations/base/operation'
import { inputGroups } from './groups.ts'

/** An input in the reference. */
export interface InputEntry {
  name: string
  description: string
  default: string | undefined
  runnerDefault: string | undefined
  required: boolean
  example: string | undefined
}

const listFormat = new Intl.ListFormat('en-GB')

const verbOf = ({ name }: Operation) => name.split('-')[0] ?? ''

/** Whether its verb does not count: it is named separately, because it is not a call of the API. */
const isOwn = ({ name }: Operation) => /preview|masked/.test(name)

/** The operations for readers: those of previews, and those with the same verb, together. */
function nameTogether(some: Operation[], all: Operation[]): string {
  const words = some.map(one => {
    if (one.name.includes('preview')) return 'previews'
    const alike = all.filter(other => verbOf(other) === verbOf(one) && !isOwn(other))
    return !isOwn(one) && alike.length > 1 && alike.every(other => some.includes(other))
      ? verbOf(one)
      : one.name
  })
  return listFormat.format(new Set(words))
}

/** The default of an input of some operations: `30m for previews, create and delete, else 10m`. */
function renderDefault(name: string, among: Operation[]): string | undefined {
  const { default: general, otherwise } = ownInputs[name] ?? {}
  if (general === undefined) return otherwise
  const takers = among.filter(({ inputs }) => inputs.includes(name))
  const byDefault = Map.groupBy(takers, ({ defaults }) => defaults?.[name] ?? general)
  const own = [...byDefault].filter(([usual]) => usual !== general)
  if (own.length === 1 && byDefault.size === 1) return own[0]?.[0]
  const parts = own.map(([usual, some]) => `${usual} for ${nameTogether(some, takers)}`)
  return [...parts, own.length > 0 ? `else ${general}` : general].join(', ')
}

/** Every input, the action's own and the fields of the API, for some operations, in the order of the groups. */
export function inputEntries(among: Operation[] = [...operations.values()]): InputEntry[] {
  return inputGroups
    .flatMap(({ names }) => names)
    .map(name => {
      const { about: description = '', example } = inputTable[name] ?? {}
      const { runnerDefault, required = false } = ownInputs[name] ?? {}
      return { name, description, default: renderDefault(name, among), runnerDefault, required, example }
    })
}
