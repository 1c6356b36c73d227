/** Recognizes the topics of columns and tables by their names. */
import { columnWords, personIds, tableWords, type WordList } from './words.ts'

/** Words that include a number. */
const computed = /^(?:md5|sha\d+|crc\d+|base\d+|oauth2|auth0|ipv[46]|k8s|s3|i18n)$/

/** `lastLoginIPs2` → `last_login_ips`: words in lower case, without accents and without a trailing number. */
export const normalize = (name: string): string =>
  name
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map(word => (computed.test(word) ? word : word.replace(/(?<!\d)\d+$/, '')))
    .filter(word => word !== '')
    .join('_')

const ends = { has: ['(?:^|_)', '(?:_|$)'], ends: ['(?:^|_)', '$'], is: ['^', '$'] }

function compile([match, words]: WordList): RegExp {
  const [before, after] = ends[match]
  return new RegExp(`${before}(?:${words.trim().split(/\s+/).join('|')})${after}`)
}

export type Topic = keyof typeof columnWords
export type TableTopic = keyof typeof tableWords

const compiled = <Name extends string>(lists: Record<Name, WordList>): ReadonlyMap<string, RegExp> =>
  new Map(Object.entries<WordList>(lists).map(([name, list]) => [name, compile(list)]))

const topics = compiled(columnWords)
const tableTopics = compiled(tableWords)
const personId = compile(personIds)

export const isNamed = (name: string, topic: string): boolean => topics.get(topic)?.test(name) === true
export const isTable = (name: string, topic: string): boolean => tableTopics.get(topic)?.test(name) === true

/** The column identifies the person to whom a row belongs. */
export const isPersonId = (name: string): boolean => personId.test(name)
