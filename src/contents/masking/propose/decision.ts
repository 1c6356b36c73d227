/** Chooses the rule for a column: the first row that fits the evidence. Pure, so that a test can try each row. */
import type { RuleKind } from '../plan/rules.ts'
import { type Condition, type Evidence, type Fact, holds } from './facts.ts'

/** A person checks the uncertain decisions. */
export type Confidence = 'certain' | 'likely' | 'uncertain'

export interface Decision {
  /** The preferred rule. The limits of the column may require another one. */
  rule: RuleKind
  confidence: Confidence
  reason: string
}

interface Row extends Decision {
  when: Condition
}

const row = (confidence: Confidence, rule: RuleKind, reason: string, ...when: Condition): Row => ({
  confidence,
  rule,
  reason,
  when,
})

/** Rows that also require a type. */
const forType = (type: Fact, rows: readonly Row[]): Row[] =>
  rows.map(({ when, ...rest }) => ({ ...rest, when: [type, ...when] }))

/** Rows for every type. Types without text are kept unless the name of the column suggests otherwise. */
const any = [
  row('certain', 'keep', 'cannot be changed', 'fixed'),
  row('certain', 'keep', 'a tool needs it', 'tool'),
  row(
    'likely',
    'shuffle',
    'a sensitive property',
    'named:sensitive',
    ['listed', 'numeric'],
    '!application',
    '!key',
  ),
  row('certain', 'keep', 'the schema lists its values', 'listed', '!secret'),
  row('certain', 'ip', 'IP addresses', ['type:ip', 'type:ips']),
  row('likely', 'null', 'a track, whose form would stay', 'track', '!application'),
  row('uncertain', 'location', 'an area, whose form stays', 'area', '!application'),
  row('likely', 'location', 'a place', 'spatial', '!application'),
  row('uncertain', 'keep', 'maybe a public place', 'spatial'),
  row('likely', 'location', 'coordinates', 'type:number', 'named:coordinate', '!application'),
  row('likely', 'date', 'a date of birth', 'type:date', 'named:birth'),
  row('likely', 'token', 'named like a secret', 'type:uuid', 'secret', '!named:identifier', '!key'),
  row('likely', 'shuffle', 'named like a secret', 'type:number', 'secret', 'named:keyOrCode', '!key'),
  row(
    'likely',
    'shuffle',
    'a number of a person',
    'type:number',
    ['named:phone', 'named:identityNumber', 'named:zip'],
    ['person', 'account'],
    '!key',
  ),
  row('certain', 'keep', 'no text', 'numeric'),
]

const json = forType('type:json', [
  row('likely', 'json', 'contains e-mail addresses', 'looks:email'),
  row('likely', 'json', 'has keys about persons', 'looks:personKeys'),
  row('likely', 'json', 'may contain credentials', 'named:connection', 'table:services'),
  row('likely', 'json', 'sent by people or programs', 'named:argument', 'table:logs'),
  row(
    'likely',
    'keep',
    'settings',
    ['named:settings', 'named:property', 'named:identifier', 'table:settings'],
    '!secret',
  ),
  row('likely', 'json', 'sent by people or programs', ['named:sent', 'secret']),
  row('uncertain', 'keep', 'maybe settings', 'application'),
  row('likely', 'json', 'describes people', ['named:contents', 'named:person']),
  row('uncertain', 'keep', 'no sentences or names', 'measured', '!personal', '!prose'),
  row('uncertain', 'json', 'an unknown content', ['personal', 'account', 'address']),
  row('uncertain', 'keep', 'maybe settings'),
])

const bytes = forType('type:bytes', [
  row('likely', 'token', 'a secret', ['secret', 'named:publicKey']),
  row('likely', 'token', 'in a table of secrets', 'table:secrets'),
  row('likely', 'keep', 'a checksum or an id', ['named:checksum', 'named:identifier', 'named:property']),
  row('uncertain', 'null', 'a file or an unknown content'),
])

const other = [
  row('certain', 'null', 'computed from texts', 'tsvector'),
  row('likely', 'keep', 'paths of a tree', 'ltree'),
  row('uncertain', 'keep', 'maybe settings', 'type:other', ['named:settings', 'forPrograms']),
  row('uncertain', 'null', 'a type that no rule suits', 'type:other'),
]

/** Rows for texts whose values or names show their meaning. */
const named = [
  row('uncertain', 'text', 'JSON, whose keys and words would change', 'looks:json', '!named:property'),
  row('certain', 'email', 'values are e-mail addresses', 'looks:email'),
  row('likely', 'email', 'named like an e-mail address', 'named:email', '!ordinary'),
  row('certain', 'ip', 'values are IP addresses', 'looks:ip', '!named:property'),
  row('certain', 'token', 'values are tokens', 'looks:jwt'),
  row('likely', 'text', 'values are names of browsers', 'looks:userAgent'),
  row('likely', 'token', 'the address of a device', 'named:endpoint', 'table:push'),
  row('likely', 'text', 'may contain credentials', 'named:connection', 'table:services'),
  row('likely', 'text', 'a sensitive property', 'named:sensitive', '!application'),
  row('likely', 'keep', 'a property that programs read', 'named:property', '!prose', '!secret'),
  row('likely', 'ip', 'named like an IP address', 'named:ip', '!ordinary'),
  row('certain', 'token', 'named like a secret', 'secret', '!vocabulary'),
  row('likely', 'token', 'named like a secret', 'secret'),
  row('likely', 'keep', 'the name of an entry', 'entry', '!looks:person'),
  row('uncertain', 'keep', 'maybe a setting', 'named:value', 'table:settings'),
  row('likely', 'text', 'searched by people', 'named:search', 'table:searches'),
  row('likely', 'token', 'the state of a login', 'named:state', 'table:logins'),
  row(
    'likely',
    'token',
    'a key in a table of secrets',
    ['named:keyOrCode', 'named:publicKey', 'named:checksum'],
    'table:secrets',
  ),
  row('likely', 'token', 'a code that expires', 'named:ownCode', 'oneTime', 'personal', '!vocabulary'),
  row('uncertain', 'token', 'maybe the key of a person', 'named:ownHash', ['table:people', 'account']),
  row('likely', 'token', 'values look like secrets', 'named:keyOrCode', 'random', '!named:checksum'),
  row('likely', 'token', 'the id of a session', 'named:ownId', 'table:sessions', '!key'),
  row('likely', 'token', 'the fingerprint of a device', 'named:publicKey', 'account'),
  row('likely', 'token', 'an account of another service', 'named:foreignId', '!key', '!application'),
  row(
    'likely',
    'token',
    'an account of another service',
    'named:externalId',
    ['person', 'table:secrets'],
    '!key',
  ),
  row('likely', 'token', 'a user of another service', 'named:userId', 'table:services', '!key'),
  row('likely', 'keep', 'refers to another row', 'named:identifier', 'key'),
  row('uncertain', 'token', 'maybe the key of a person', 'named:ownKey', 'personal', '!key', '!vocabulary'),
  row('likely', 'phone', 'named like a phone number', 'named:phone', '!prose'),
  row('likely', 'phone', 'values are phone numbers', 'looks:phone'),
  row('uncertain', 'keep', 'maybe the name of a thing', 'named:fullName', 'vocabulary'),
  row('certain', 'name', 'named like the name of a person', 'named:personName', '!vocabulary'),
  row('likely', 'name', 'named like the name of a person', [
    'named:personName',
    'named:personNoun',
    'familyName',
  ]),
  row('likely', 'text', 'an account in a social network', 'named:social', 'personal', '!vocabulary'),
  row(
    'likely',
    'name',
    'a name in a table of persons',
    ['named:bareName', 'named:displayName'],
    ['table:people', 'accountWithoutPage'],
  ),
  row('likely', 'name', 'a name that a person shows', 'named:displayName', 'personal', '!vocabulary'),
  row('likely', 'name', 'values look like names of persons', 'looks:person', '!vocabulary', '!page', [
    'personal',
    'account',
    'address',
    '!thing',
  ]),
  row('likely', 'digits', 'an official or bank number', 'named:identityNumber', '!application'),
  row('likely', 'phone', 'a phone number', 'named:ownNumber', 'table:phones'),
  row('likely', 'digits', 'the number of a document or an account', 'named:ownNumber', 'table:numbered'),
  row('likely', 'digits', 'a date of birth', 'named:birth'),
  row('likely', 'digits', 'a postal code', 'named:zip'),
  row('uncertain', 'text', 'maybe the address of a thing', 'named:address', 'looks:word', '!named:street'),
  row('certain', 'text', 'a postal address', ['named:street', 'named:address'], '!vocabulary'),
  row('likely', 'text', 'values look like postal addresses', 'looks:postal'),
  row(
    'likely',
    'text',
    'part of an address',
    ['named:place', 'named:region', 'named:country', 'named:ownNumber'],
    'address',
    '!tiny',
  ),
  row('likely', 'text', 'a place', ['named:place', 'named:placeText'], '!vocabulary'),
  row('likely', 'location', 'coordinates', ['named:coordinate', 'looks:coordinates'], '!application'),
  row('likely', 'text', 'a device or browser', 'named:userAgent'),
  row('likely', 'text', 'the job of a person', 'named:job', 'person'),
  row('likely', 'text', 'the job of a person', 'named:company', ['personal', 'account', 'address']),
  row('uncertain', 'text', 'a sender or a recipient', 'named:partner', 'table:messages'),
  row('uncertain', 'keep', 'maybe the key of a file', 'named:image', '!person', '!looks:url'),
  row('uncertain', 'text', 'the name of an uploaded file', 'named:fileName', [
    'table:uploads',
    'named:upload',
  ]),
  row('likely', 'text', 'a link of a person', 'named:link', ['person', 'named:social']),
  row('likely', 'keep', 'a checksum', 'named:checksum'),
]

/** Rows for the other texts. */
const written = [
  row('likely', 'keep', 'a code of at most three characters', 'tiny'),
  row('likely', 'keep', 'few values, each in several rows', 'named:freeText', 'repeated', '!looks:sentence'),
  row('likely', 'text', 'a remark of a person', 'named:remark'),
  row('uncertain', 'keep', 'a text of the application', ['named:freeText', 'named:title'], 'application'),
  row('uncertain', 'keep', 'maybe describes a term', ['named:description', 'named:label'], 'term'),
  row('uncertain', 'keep', 'a text of the application', 'named:template'),
  row('uncertain', 'keep', 'maybe a choice from a list', 'named:reason', 'string', '!prose', '!repeated'),
  row('uncertain', 'text', 'maybe written by people', ['named:freeText', 'named:title'], 'vocabulary'),
  row('likely', 'text', 'written by people', 'named:freeText'),
  row(
    'likely',
    'text',
    'sent by people or programs',
    ['named:sent', 'named:sentText'],
    '!repeated',
    '!named:technical',
    '!named:identifier',
    '!named:thingName',
    '!named:link',
  ),
  row('uncertain', 'text', 'sent by people or programs', 'named:sent', ['prose', 'looks:email']),
  row('likely', 'text', 'written by people', 'named:title', 'personal'),
  row('uncertain', 'text', 'maybe written by people', 'named:bareTitle', '!described', '!repeated'),
  row('uncertain', 'keep', 'maybe the title of a thing', 'named:title'),
  row('likely', 'keep', 'a technical term', 'named:technical', '!prose', '!looks:url'),
  row('likely', 'keep', 'an id', ['named:identifier', 'looks:uuid'], '!random'),
  row('likely', 'keep', 'few values, each in several rows', ['repeated', 'default']),
  row(
    'uncertain',
    'text',
    'a name given by a person',
    'named:bareName',
    ['personal', 'address'],
    '!described',
    '!unique',
    '!vocabulary',
  ),
  row('uncertain', 'text', 'the value of a custom field', 'named:value', 'table:custom'),
  row('uncertain', 'text', 'maybe the name of a person', 'named:thingName', 'table:people'),
  row('likely', 'keep', 'the name of a thing', 'named:thingName', ['vocabulary', 'measured']),
  row('uncertain', 'text', 'maybe the name of a person', 'named:thingName', 'party'),
  row(
    'uncertain',
    'keep',
    'maybe the name of a thing',
    ['named:thingName', 'vocabulary'],
    '!named:person',
    '!named:link',
  ),
  row('likely', 'text', 'values look like sentences', 'looks:sentence'),
  row('uncertain', 'token', 'values look like secrets', 'random'),
  row('uncertain', 'text', 'a link', ['named:link', 'looks:url'], ['personal', 'table:hooks']),
  row('uncertain', 'keep', 'maybe a public link', ['named:link', 'looks:url']),
  row('uncertain', 'text', 'maybe about a person', [
    'personal',
    'nearPerson',
    'table:sessions',
    'named:person',
  ]),
  row('uncertain', 'keep', 'short values without a pattern', 'short'),
  row('uncertain', 'text', 'an unknown text'),
]

/** All rows in order. The last one always fits. */
export const rows: readonly Row[] = [...any, ...json, ...bytes, ...other, ...named, ...written]

export function decide(evidence: Evidence): Decision {
  const found = rows.find(({ when }) => holds(when, evidence))
  if (found === undefined) throw new Error(`no row of the decision fits ${evidence.table}.${evidence.name}`)
  const { rule, confidence, reason } = found
  return {
    rule,
    confidence,
    reason: evidence.fixed ?? (evidence.tool ? `${evidence.tool} needs it` : reason),
  }
}
