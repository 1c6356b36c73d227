/** Tests suggestions for misspelled names. */
import { describe, expect, test } from 'vitest'
import { operations } from '#action/inputs/operation-table'
import { useOwnVerbs } from '#action/inputs/read-inputs'
import { editDistance, suggest, suggestionClause } from '#base/suggest'

describe('the edit distance', () => {
  test.each([
    ['', '', 0],
    ['', 'abc', 3],
    ['abc', 'abc', 0],
    ['abc', 'abd', 1],
    ['abc', 'ab', 1],
    ['abc', 'xabc', 1],
    ['abc', 'acb', 1],
    ['ab', 'ba', 1],
    ['kitten', 'sitting', 3],
    ['sevrice', 'service', 1],
    ['abcdef', 'ghijkl', 6],
  ])('from %j to %j is %i', (one, other, distance) => {
    expect(editDistance(one, other)).toBe(distance)
  })
})

describe('a suggestion', () => {
  test.each<[string, string | undefined]>([
    ['create-servcie', 'create-service'],
    ['create_service', 'create-service'],
    ['Create-Service', 'create-service'],
    ['service-create', 'create-service'],
    ['createservice', 'create-service'],
    ['list-service', 'list-services'],
    ['delete-servic', 'delete-service'],

    ['create-service'.repeat(10_000), undefined],
    ['forkservice', 'fork-service'],
    ['set-HA', 'set-ha'],
    ['get auth info', 'get-auth-info'],
    ['update-pasword', 'update-password'],
    ['abracadabra', undefined],
    ['zzzz', undefined],
  ])('for %s is %s', (typed, meant) => {
    expect(suggest(typed, operations.keys())).toEqual(meant === undefined ? [] : [meant])
  })

  test.each([
    ['fork', 'fork-service'],
    ['prune', 'prune-previews'],
    ['connect', 'get-connection'],
    ['connection', 'get-connection'],
    ['reset', 'reset-preview'],
    ['logs', 'get-service-logs'],
    ['ha', 'set-ha'],
    ['preview-dele', 'delete-preview'],
    ['delete', 'delete-service, delete-replica, delete-vpc, delete-peering or delete-preview'],
    ['rename', 'rename-service or rename-vpc'],
    ['previews', 'preview or prune-previews'],
    ['remove-service', 'delete-service'],
    ['drop-preview', 'delete-preview'],
    ['pause', 'stop-service'],
    ['clone', 'fork-service'],
  ])('for a part of a name or a synonym, %s, lists the candidates', (typed, names) => {
    expect(suggestionClause(useOwnVerbs(typed), operations.keys())).toBe(` (did you mean ${names}?)`)
  })

  test.each(['constructor', 'up', '-', '', 'se'])('is empty for %j', typed => {
    expect(suggestionClause(useOwnVerbs(typed), operations.keys())).toBe('')
  })

  test('is empty if there are no candidates', () => {
    expect(suggest('anything', [])).toEqual([])
  })

  test('for an exact name is that name', () => {
    for (const name of operations.keys()) expect(suggest(name, operations.keys())).toEqual([name])
  })
})
