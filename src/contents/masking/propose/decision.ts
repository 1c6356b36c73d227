/** Chooses the rule for a column: the first row that fits the evidence. Pure, so that a test can try each row. */
import { type Evidence, holds } from './facts.ts'
import { certain, type Decision, forType, likely, type Row, uncertain } from './rows.ts'
import { texts } from './text-rows.ts'

/** Rows for every type. Types without text are kept unless the name of the column suggests otherwise. */
const any = [
  certain('keep', 'cannot be changed', 'fixed'),
  certain('keep', 'a tool needs it', 'tool'),
  certain('keep', 'refers to another row', 'reference'),
  likely('shuffle', 'a sensitive property', 'name:sensitive listed|numeric|tiny !application !key'),
  certain('keep', 'the schema lists its values', 'listed !secret'),
  likely('keep', 'an id that rows of many tables have', 'secret rowId'),
  uncertain('keep', 'maybe the address of a network', 'type:ip|type:ips table:networks !personal'),
  certain('ip', 'IP addresses', 'type:ip|type:ips'),
  likely('null', 'a track, whose form would stay', 'track !application'),
  uncertain('location', 'an area, whose form stays', 'area !application'),
  likely('location', 'a place', 'spatial !application !table:institutions'),
  uncertain('keep', 'maybe a public place', 'spatial'),
  likely('location', 'coordinates', 'type:number name:coordinate !application'),
  likely('date', 'a date of birth', 'type:date name:birth'),
  likely('shuffle', 'a date of birth', 'type:number name:birth !key'),
  likely('token', 'named like a secret', 'type:uuid secret !name:identifier !key'),
  uncertain('token', 'maybe a secret', 'type:uuid name:ownId table:secrets oneTime !secretBeside !key'),
  likely('shuffle', 'named like a secret', 'type:number secret|table:secrets name:keyOrCode !key'),
  likely(
    'shuffle',
    'a measurement of a body',
    'type:number name:body|name:value name:body|table:health table:people|table:health personal|part !key',
  ),
  likely('shuffle', 'an account of another service', 'type:number name:foreignId table:people !key'),
  likely(
    'shuffle',
    'a number of a person',
    'type:number name:phone|name:identityNumber|name:zip person|account !key',
  ),
  certain('keep', 'no text', 'numeric'),
]

const json = forType('type:json', [
  likely('json', 'contains e-mail addresses', 'looks:email'),
  likely('json', 'has keys about persons', 'looks:personKeys !name:property|!name:ip'),
  uncertain('keep', 'contains no texts', 'textless !personal'),
  likely('json', 'the contents of a session', 'table:sessions name:state|name:contents'),
  likely('json', 'maybe credentials', 'name:connection table:services|table:logins|table:hooks'),
  likely(
    'json',
    'sent by people or programs',
    'name:argument table:logs|table:records|table:people|table:belongings',
  ),
  uncertain('keep', 'maybe a setting', 'name:value table:settings'),
  likely(
    'keep',
    'settings',
    'name:settings|name:property|name:identifier|name:template|table:settings !secret',
  ),
  likely('json', 'sent by people or programs', 'name:sent|secret'),
  uncertain('keep', 'maybe settings', 'application'),
  uncertain('keep', 'maybe describes a thing', 'name:ownDescription !personal !table:records'),
  likely('json', 'describes people', 'name:contents|name:person|name:sensitive|name:freeText'),
  uncertain('keep', 'no sentences or names', 'measured !personal|name:technical !prose'),
  uncertain(
    'json',
    'maybe about a person',
    'private|table:records|table:logs|table:uploads|table:sessions|name:value',
  ),
  uncertain('keep', 'an unknown content'),
])

const bytes = forType('type:bytes', [
  likely('token', 'a secret', 'secret|name:publicKey'),
  likely('token', 'in a table of secrets', 'table:secrets'),
  likely('keep', 'a checksum or an id', 'name:checksum|name:identifier|name:property'),
  uncertain('keep', 'a file of the application', 'application'),
  uncertain('null', 'a file or an unknown content'),
])

const other = [
  certain('null', 'computed from texts', 'tsvector'),
  likely('keep', 'paths of a tree', 'ltree'),
  uncertain(
    'keep',
    'maybe settings',
    'type:other name:settings|forPrograms|application !name:contents !table:people',
  ),
  uncertain('null', 'a type that no rule suits', 'type:other'),
]

/** All rows in order. The last one always fits. */
export const rows: readonly Row[] = [...any, ...json, ...bytes, ...other, ...texts]

export function decide(evidence: Evidence): Decision {
  const found = rows.find(({ when }) => holds(when, evidence))
  if (found === undefined) throw new Error(`no row of the decision fits ${evidence.table}.${evidence.name}`)
  const { rule, confidence, reason } = found
  if (rule === 'keep' && confidence === 'likely' && evidence.measured?.hasEmail)
    return { rule, confidence: 'uncertain', reason: `${reason}, but a value has an e-mail address` }
  return {
    rule,
    confidence,
    reason: evidence.fixed ?? (evidence.tool ? `${evidence.tool} needs it` : reason),
  }
}
