/** Random ids and passwords. */
import type { HandlerContext } from './handler.ts'

/** Returns a number of at least 0 and below 1, as Math.random does. */
export type Random = () => number

/** A random text of characters of the alphabet. */
export function randomText(random: Random, alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)] ?? alphabet[0]).join(
    '',
  )
}

const digits = '0123456789'
const lowercase = 'abcdefghijklmnopqrstuvwxyz'

/** The next id in order: it leads to a free id even if the random source always returns the same value. */
function nextId(id: string, alphabet: string): string {
  const last = alphabet.indexOf(id.at(-1) ?? '')
  const head = id.slice(0, -1)
  if (last < alphabet.length - 1 || head === '') return head + alphabet[(last + 1) % alphabet.length]
  return nextId(head, alphabet) + alphabet[0]
}

function issueId({ state }: HandlerContext, alphabet: string, drawn: string): string {
  let id = drawn
  while (state.issued.has(id)) id = nextId(id, alphabet)
  state.issued.add(id)
  return id
}

/** An id like `d1k5vk7hf2`, of a service or replica set. */
export function createServiceId(context: HandlerContext): string {
  const { random } = context
  return issueId(
    context,
    digits + lowercase,
    randomText(random, lowercase, 1) + randomText(random, digits + lowercase, 9),
  )
}

/** An id like `1234567890`, of a VPC or peering (docs/internals/api.md, "Ids"). */
export function createNumericId(context: HandlerContext): string {
  const { random } = context
  return issueId(context, digits, randomText(random, digits.slice(1), 1) + randomText(random, digits, 9))
}

const alphanumeric = `${lowercase}${lowercase.toUpperCase()}${digits}`

/** A password of 32 letters and digits: more than 160 bits. */
export const createPassword = ({ random }: HandlerContext) => randomText(random, alphanumeric, 32)

/** The id of a VPC or peering at its cloud provider. */
export const createProvisionedId = ({ random }: HandlerContext, kind: 'vpc' | 'pcx') =>
  `${kind}-${randomText(random, '0123456789abcdef', 17)}`
