/** Recognizes the topics of columns and tables by their names. */
import { dictionary, type TableTopic, type Topic } from './dictionary.ts'

/** Words that include a number. */
const wordsWithNumber = /^(?:md5|sha\d+|crc\d+|base\d+|last[34]|oauth2|auth0|ipv[46]|k8s|s3|i18n|admin[1-5])$/

/** Names of products that are one word in spite of their capitals. */
const oneWord = /[Oo]Auth|Git(?:Hub|Lab)|LinkedIn|YouTube|PayPal|WhatsApp|WebAuthn|iCal/g

/** `lastLoginIPs2` → `last_login_ips`: words in lower case, without accents and without a trailing number. */
export const normalize = (name: string): string =>
  name
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(oneWord, word => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map(word => (wordsWithNumber.test(word) ? word : word.replace(/(?<!\d)\d+$/, '')))
    .filter(word => word !== '')
    .join('_')

const { compounds, endOfCompound, startOfCompound, fullWords } = dictionary
const longestWord = Math.max(...[...compounds, ...fullWords.keys()].map(({ length }) => length))

/** Shorter abbreviations, such as `nm`, stand only at the end of other words. */
const shortestPart = 3

function isPart(word: string, start: number, end: number): boolean {
  const part = word.slice(start, end)
  const isEnd = start >= shortestPart && end === word.length
  return compounds.has(part) || ((part.length >= shortestPart || isEnd) && fullWords.has(part))
}

/** The fewest known words of which a word consists, as in `token_id` for `tokenid`; undefined if it does not. */
function splitWord(word: string): string | undefined {
  const best: (string | undefined)[] = ['']
  for (let end = 1; end <= word.length; end += 1)
    for (let start = Math.max(0, end - longestWord); start < end; start += 1) {
      const before = best[start]
      if (before === undefined || !isPart(word, start, end)) continue
      const found = before === '' ? word.slice(0, end) : `${before}_${word.slice(start, end)}`
      const known = best[end]
      if (known === undefined || found.length < known.length) best[end] = found
    }
  return best[word.length]
}

const splitCompound = (word: string): string =>
  splitWord(word) ?? word.replace(endOfCompound, '_$1').replace(startOfCompound, '$1_')

/** Splits words that consist of several words, as `pushkey`, `deliveredby` and `telefonomedico`. */
const splitCompounds = (name: string): string => name.replaceAll(/[a-z]{5,}/g, splitCompound)

const putNounLast = (name: string): string => name.replace(dictionary.nounFirst, '$2_$1')

/** The name, without a prefix for its type, its noun last, and the name of the column from which it is derived. */
const deriveForms = (name: string): string[] => [
  name,
  name.replace(dictionary.prefix, ''),
  putNounLast(name),
  name.replace(dictionary.derived, ''),
]

/** Writes abbreviated words in full. Some have a second meaning, mostly in another language. */
const writeInFull = (name: string, meaning: number): string =>
  name.replaceAll(/[a-z]+/g, word => {
    const meanings = fullWords.get(word) ?? [word]
    return meanings[meaning] ?? meanings[0] ?? word
  })

const formsOf = (name: string): string[] => {
  const forms = [name, splitCompounds(name)]
  const inFull = forms.flatMap(form => [writeInFull(form, 0), writeInFull(form, 1)])
  return [...new Set([...forms, ...inFull].flatMap(deriveForms))]
}

export const toSingular = (name: string): string =>
  name
    .replace(/ies$/, 'y')
    .replace(/(?<=ch|sh|ss|x)es$/, '')
    .replace(/(?<=[^s])s$/, '')

/** Names that contain the one of their table, as `role_name`, `nm_role` and `ds_role` in a table of roles. */
const nameOfTable = /^(?:nm|nome|nom|nombre|name)_(\w+)$|^(\w+)_name$/
const descriptionOfTable = /^(?:ds|desc|descricao|descripcion)_(\w+)$/

/** Removes the name of the table from the name or the description of its rows. */
export function removeTable(name: string, table: string): string {
  const isOf = (thing: string | undefined) =>
    thing !== undefined && `_${toSingular(table)}`.endsWith(`_${toSingular(thing)}`)
  const [, after, before] = nameOfTable.exec(name) ?? []
  if (isOf(after ?? before)) return 'name'
  return isOf(descriptionOfTable.exec(name)?.[1]) ? 'description' : name
}

/** Words around the name of a table that holds a copy of another one. */
const copyAffixes =
  /^(?:tbl|dim|fact|stg|raw|archived?|deleted|old|te?mp|backup)_|(?:^|_)historical_?|_(?:history|hist|archives?|backup|old|copy|snapshots?|audit|aud|versions?|revisions?|partitioned|lite|te?mp|v)$/g

function remember(findTopics: (name: string) => Set<string>): (name: string) => Set<string> {
  const known = new Map<string, Set<string>>()
  return name => {
    const topics = known.get(name) ?? findTopics(name)
    known.set(name, topics)
    return topics
  }
}

const match = (topics: ReadonlyMap<string, RegExp>, ...forms: string[]) =>
  new Set([...topics.keys()].filter(topic => forms.some(form => topics.get(topic)?.test(form))))

export const topicsOf = remember(name => {
  const forms = formsOf(name)
  const topics = match(dictionary.columns, ...forms)
  // The last word of `cpf_socio` is the owner of the number, not the content of the column.
  const turned = forms.filter(form => putNounLast(form) !== form).map(putNounLast)
  const isPerson = (form: string) => dictionary.columns.get('personNoun')?.test(form)
  if (turned.length > 0 && !turned.some(isPerson)) topics.delete('personNoun')
  return topics
})

export const tableTopicsOf = remember(name => {
  const own = name.replaceAll(copyAffixes, '')
  const inFull = writeInFull(splitCompounds(own), 0)
  const topics = match(dictionary.tables, own, own.replace(endOfCompound, '_$1'), inFull)
  // Programs with an account, such as `api_users`, are not people.
  if (topics.has('machines')) topics.delete('people')
  return topics
})

export const isNamed = (name: string, topic: Topic): boolean => topicsOf(name).has(topic)
export const isTable = (name: string, topic: TableTopic): boolean => tableTopicsOf(name).has(topic)

/** Topics that do not show the meaning of a column. */
const vagueTopics = new Set(
  'thingName technical identifier property settings value keyOrCode bareName'.split(' '),
)

/** An affix has three characters or more, and at least four columns, and half of all, share it. */
const affix = { length: 3, columns: 4, share: 0.5 }

/** Most columns of a legacy table may share two characters, as in `EMLNAM` and `EMFNAM`. By chance, few columns do. */
const shortAffix = { length: 2, columns: 5, share: 0.75 }

/**
 * The longest part that many names share, if it means nothing by itself. A table often has the same beginning. Only
 * names of a single word share a part of it.
 */
function findAffix(
  names: readonly string[],
  table: string,
  cut: (name: string, length: number) => string,
): string {
  const parts = names.flatMap(name => {
    const lengths = Array.from(
      { length: Math.max(0, name.length - shortAffix.length) },
      (_, more) => shortAffix.length + more,
    )
    return lengths.map(length => ({ part: cut(name, length), name }))
  })
  const isLegacy = (words: number) => words >= shortAffix.columns && words >= names.length * shortAffix.share
  const isShared = ([part, all]: [string, { name: string }[]]) => {
    const words = all.filter(({ name }) => !name.includes('_')).length
    if (part.length < affix.length) return isLegacy(words)
    const isMost = all.length >= names.length * affix.share || table.startsWith(part)
    return all.length >= affix.columns && isMost && (/^_|_$/.test(part) || words === all.length)
  }
  const shared = [...Map.groupBy(parts, ({ part }) => part)].filter(isShared).map(([part]) => part)
  const longest = shared.toSorted((first, second) => second.length - first.length)[0] ?? ''
  const isMeaningful = longest.length >= affix.length && topicsOf(longest.replaceAll(/^_|_$/g, '')).size > 0
  return isMeaningful ? '' : longest
}

/** Removes the beginning or the end that many columns of a table share, as in `city_adh`, if no topic recognizes the name. */
export function affixRemover(names: readonly string[], table = ''): (name: string) => string {
  const start = findAffix(names, table, (name, length) => name.slice(0, length))
  const end = findAffix(names, table, (name, length) => name.slice(-length))
  return name => {
    const shorter = name.startsWith(start) ? name.slice(start.length).replace(/^_/, '') : name
    const topics = [...topicsOf(name)].filter(topic => !vagueTopics.has(topic))
    if (topics.length > 0 && !topics.some(topic => topicsOf(shorter).has(topic))) return name
    if (start !== '' && name.startsWith(start) && shorter.length > 1) return shorter
    return topics.length === 0 && end !== '' && name.endsWith(end) ? name.slice(0, -end.length) || name : name
  }
}
