/** The facts about a column that the rows of the decision combine. */
import type { Column, Family } from '../plan/catalog.ts'
import type { Use } from './definitions.ts'
import type { TableTopic, Topic } from './dictionary.ts'
import type { Measured, Pattern } from './measure.ts'
import { isNamed, isTable, tableTopicsOf, topicsOf, toSingular } from './names.ts'
import { isBrief, isRepeated, leastWritten, looks } from './values.ts'

type ColumnType = Pick<Column, 'type' | 'family' | 'holdsText' | 'length'>

/** `name` and `table` are normalized. */
export interface Evidence extends Use, ColumnType {
  /** The reason why the database refuses other values; undefined if it accepts them. */
  fixed: string | undefined
  /** The tool that needs the values unchanged. */
  tool: string | undefined
  isKey: boolean
  /** A foreign key to an id. */
  isReference: boolean
  /** The name begins with that of a table that is not about people: `device_id` beside a table `devices`. */
  isOfEntity: boolean
  /** Other tables refer to the table by a code or a name: it lists the values that they may have. */
  isLookup: boolean
  /** The ids of persons are texts, so that a column such as `created_by` may hold one. */
  hasTextIds: boolean
  isUnique: boolean
  /** Unique columns of many tables have this name, one of which lists terms: it identifies rows. */
  isRowId: boolean
  /** A row is a person, or belongs to one. */
  isPersonal: boolean
  /** A row is a part of a personal row, such as a line of a list. */
  isPart: boolean
  /** The names of the other columns. */
  beside: readonly string[]
  /** Undefined if the table is empty or unreadable. */
  measured: Measured | undefined
}

const mostColumnsOfTerm = 8

/** A row with at least this number of columns of these topics is about a person. */
const fewestPersonal = 2
const ownData: readonly Topic[] = ['ownEmail', 'ownPhone', 'ownName', 'birth', 'sensitive']
const anyData: readonly Topic[] = ['email', 'phone', 'personName', 'birth', 'street']

/** A row with at least this number of columns for its display is an offer to the public, such as an event or an item. */
const fewestOffered = 2

const isBeside = ({ beside }: Evidence, ...topics: Topic[]) =>
  beside.some(name => topics.some(topic => isNamed(name, topic)))

/** An organizer with a public page may be a business. */
const isPeople = ({ table, isPersonal }: Evidence) => isPersonal && isTable(table, 'people')

const countBeside = ({ beside }: Evidence, topics: readonly Topic[]) =>
  beside.filter(name => topics.some(topic => isNamed(name, topic))).length

/** The table of terms has no columns of persons. */
const isVocabulary = (evidence: Evidence) =>
  (evidence.isLookup || isTable(evidence.table, 'vocabulary')) &&
  !isTable(evidence.table, 'people') &&
  !isBeside(evidence, 'ownName', 'birth') &&
  countBeside(evidence, ['street', 'address', 'coordinate', 'place', 'zip']) < fewestPersonal

/** True for a name whose table has a column of these topics with the same start: `buyer_name` beside `buyer_phone`. */
function isNameBeside({ name, beside }: Evidence, ...topics: Topic[]): boolean {
  const [found, start = ''] = /^(.*_)?(?:nom|nombre|nome|name)$/.exec(name) ?? []
  const isOfTopics = (other: string) =>
    other.startsWith(start) && topics.some(topic => isNamed(other.slice(start.length), topic))
  return found !== undefined && beside.some(isOfTopics)
}

export const isSecret = ({ name }: Pick<Evidence, 'name'>): boolean =>
  isNamed(name, 'secretId') ||
  (isNamed(name, 'secret') && !isNamed(name, 'notSecret') && !isNamed(name, 'property'))

const isAddress = (evidence: Evidence) => isBeside(evidence, 'street', 'zip', 'place')
const isAccount = (evidence: Evidence) => isBeside(evidence, 'ownEmail', 'ownName', 'userAgent')

const hasShortName = ({ beside }: Evidence) => beside.includes('short_name')

const isRandom = (evidence: Evidence) => looks(evidence, 'secret', 'knownSecret') && !isRepeated(evidence)

/** In characters. */
const leastEncrypted = 40

const hasPage = (evidence: Evidence) => isBeside(evidence, 'page')

const combined = {
  fixed: ({ fixed }) => fixed !== undefined,
  tool: ({ tool }) => tool !== undefined,
  listed: ({ isListed }) => isListed,
  default: ({ hasDefaultText }) => hasDefaultText,
  key: ({ isKey }) => isKey,
  reference: ({ isReference }) => isReference,
  entity: ({ isOfEntity }) => isOfEntity,
  unique: ({ isUnique }) => isUnique,
  rowId: ({ isRowId }) => isRowId,
  /** Ends like the column of an actor, `created_by` or `last_modified_by_user`. */
  by: ({ name }) => /_by(?:_user)?$/.test(name),
  textIds: ({ hasTextIds }) => hasTextIds,
  personal: ({ isPersonal }) => isPersonal,
  part: ({ isPart }) => isPart,
  private: evidence => evidence.isPersonal || isAccount(evidence) || isAddress(evidence),
  numeric: ({ holdsText }) => !holdsText,
  measured: ({ measured }) => measured !== undefined,
  /** A value contains an e-mail address. */
  email: ({ measured }) => measured?.hasEmail === true,
  repeated: isRepeated,
  flag: ({ length }) => length === 1,
  compound: ({ name }) => name.includes('_'),
  /** The row is the client of a provider, such as an application that uses OAuth. */
  client: ({ beside }) => beside.includes('client_id'),
  /** A thing that has a full and a short name, such as a language. */
  shortName: hasShortName,
  /** The row names the provider of an account. */
  provider: evidence => isBeside(evidence, 'provider'),
  tiny: ({ length }) => (length ?? 4) <= 3,
  brief: isBrief,
  long: ({ length }) => (length ?? 0) >= 1000,
  spatial: ({ family }) => family === 'point' || family === 'geometry' || family === 'geography',
  track: ({ type }) => /\bgeo\w+\(\w*(?:line|curve(?!polygon)|circularstring)/i.test(type),
  area: ({ type }) => /\bgeo\w+\(\w*(?:polygon|surface)/i.test(type),
  /** A key beside its value. */
  entry: evidence =>
    /^(?:key|name|property|attribute|setting|option|clave|chave|cle|schluessel)$|_key$/.test(evidence.name) &&
    !/^\w+_key$/.test(isSecret(evidence) ? evidence.name : '') &&
    isBeside(evidence, 'value'),
  short: ({ measured }) => (measured?.length ?? 0) < leastWritten,
  /** Long, different, and without words. */
  random: isRandom,
  /** Longer than a name. */
  encrypted: evidence => isRandom(evidence) && (evidence.measured?.length ?? 0) >= leastEncrypted,
  /** JSON in which all values are numbers of few digits, booleans or NULL. */
  textless: ({ measured }) => (measured?.shares.textless ?? 0) === 1,
  prose: evidence => looks(evidence, 'sentence', 'person'),
  /** Neither an email address nor an IP address. */
  ordinary: evidence => looks(evidence, 'word', 'prefixed', 'sentence', 'url', 'number'),
  secret: isSecret,
  /** The row has a secret of its own, so its id is none. The contents of a session do not open it. */
  secretBeside: ({ beside }) =>
    beside.some(name => isSecret({ name }) && !/(?:^|_)session_?data$/.test(name)),
  /** The row has the token of its session. */
  tokenBeside: ({ beside }) => beside.some(name => /^(?:session_)?token(?:_hash)?$/.test(name)),
  forPrograms: ({ name }) => isNamed(name, 'property') || isNamed(name, 'technical'),
  vocabulary: isVocabulary,
  /** The column has the name of its table, as in a list of religions. */
  itself: ({ table, name }) => toSingular(table).endsWith(toSingular(name)),
  /** A term of the application, which belongs to no person. */
  application: evidence => isVocabulary(evidence) && !evidence.isPersonal,
  /** A table with a label, or of few columns without references to others, such as a list of terms with descriptions. */
  term: evidence => {
    const { table, beside, isPersonal } = evidence
    const hasReference = beside.some(name => name !== 'id' && isNamed(name, 'identifier'))
    const isList = !isNamed(table, 'freeText') && beside.length < mostColumnsOfTerm && !hasReference
    return !isPersonal && (isBeside(evidence, 'label') || isList)
  },
  /** The row has a description, so its title is the name of a thing. */
  described: evidence => isBeside(evidence, 'ownDescription'),
  /** The row or the column is about a thing, whose name may look like that of a person. */
  thing: evidence =>
    (['displayName', 'label', 'technical'] as const).some(topic => isNamed(evidence.name, topic)) ||
    isTable(evidence.table, 'machines') ||
    isBeside(evidence, 'ownDescription'),
  /** The table has a public page for each row. */
  page: hasPage,
  address: isAddress,
  /** The row has the IP address of a device. */
  online: evidence => isBeside(evidence, 'ip'),
  /** The row has an e-mail address or the name of a person, and no public page. */
  accountWithoutPage: evidence =>
    isBeside(evidence, 'ownEmail', 'ownName') &&
    !hasPage(evidence) &&
    !isTable(evidence.table, 'institutions'),
  account: isAccount,
  /** Other columns of the row hold data of persons. */
  nearPerson: evidence =>
    !isTable(evidence.table, 'institutions') &&
    countBeside(evidence, isTable(evidence.table, 'records') ? anyData : ownData) >= fewestPersonal,
  /** The row is an offer to the public or a setting of the application, and no person. */
  offer: evidence =>
    !isPeople(evidence) &&
    !isTable(evidence.table, 'records') &&
    !evidence.beside.some(name =>
      /^(?:user|author|member|customer|patient|student|profile)_u?id$/.test(name),
    ) &&
    countBeside(evidence, ['offer']) >= fewestOffered,
  /** The row describes a person, by the name of its table or by other columns. */
  person: evidence =>
    isPeople(evidence) || (isBeside(evidence, 'ownName', 'birth') && !hasShortName(evidence)),
  /** The name of a person or company, beside its e-mail address or phone number: `operator_name` beside `operator_phone`. */
  party: evidence => /\w_/.test(evidence.name) && isNameBeside(evidence, 'ownEmail', 'phone'),
  /** A family name beside the given name: `buyer_nom` beside `buyer_prenom`. */
  familyName: evidence => isNameBeside(evidence, 'ownName'),
  /** A column beside it limits the use of a code. */
  oneTime: ({ beside }) =>
    beside.some(name => /(?:^|_)(?:attempts?|expir\w+|valid_until|accepted_at|redirect_ur[il])$/.test(name)),
  /** The type of most columns with a choice from a list, unless an enum lists the choices. */
  string: ({ type, length }) => type.startsWith('character') && (length ?? 0) < 256,
  tsvector: ({ type }) => /\btsvector$/.test(type),
  ltree: ({ type }) => /\bltree(?:\[\])?$/.test(type),
} satisfies Record<string, (evidence: Evidence) => boolean>

/** A fact by name: of the type, the name, the values or the table, or a combined one. */
export type Fact =
  | `type:${Family}`
  | `name:${Topic}`
  | `looks:${Pattern}`
  | `table:${TableTopic}`
  | keyof typeof combined

type Exists<Text> = Text extends `${infer One} ${infer Others}` | `${infer One}|${infer Others}`
  ? Exists<One> extends true
    ? Exists<Others>
    : false
  : Text extends Fact | `!${Fact}`
    ? true
    : false

/** Facts that are all true, separated by spaces, each with alternatives after `|`. The compiler checks that each exists. */
export type Condition<Text> = Exists<Text> extends true ? Text : never

const facts: Record<string, (evidence: Evidence, name: string) => boolean> = {
  ...combined,
  type: ({ family }, name) => family === name,
  name: ({ name }, topic) => topicsOf(name).has(topic),
  looks: (evidence, name) => looks(evidence, name),
  table: (evidence, topic) =>
    topic === 'people' ? isPeople(evidence) : tableTopicsOf(evidence.table).has(topic),
}

function isTrue(fact: string, evidence: Evidence): boolean {
  if (fact.startsWith('!')) return !isTrue(fact.slice(1), evidence)
  const [kind = '', name = ''] = fact.split(':')
  return facts[kind]?.(evidence, name) === true
}

export const holds = (condition: string, evidence: Evidence): boolean =>
  condition === '' || condition.split(' ').every(part => part.split('|').some(fact => isTrue(fact, evidence)))
