import { expect, it } from 'vitest'
import { Backend, mostOfCensus } from '#contents/rehearsal/proxy/backend'
import { Conversation } from '#contents/rehearsal/proxy/conversation'
import { loggedIn, message } from '../../../postgres/support/hostile-server.ts'
import { Witness } from './support/house.ts'
import { simple } from './support/raw-client.ts'

/** A backend without a server. */
function openBackend() {
  const witness = new Witness()
  return { witness, backend: new Backend({ watch: witness, now: () => 0, toServer() {} }) }
}

const text = (value: string) => Buffer.from(`${value}\0`)

it('keeps only the settings that it reads, however many the server sends', () => {
  const { backend } = openBackend()
  for (let index = 0; index < 100_000; index++) backend.noteSetting(`setting${index}`, 'x')
  backend.noteSetting('client_encoding', 'UTF8')
  expect([...backend.settings]).toEqual([['client_encoding', 'UTF8']])
})

it('keeps a census up to a limit, and reports once that there was more', () => {
  const { backend, witness } = openBackend()
  const value = Buffer.alloc(1024 * 1024, 'x')
  const row = message('D', Buffer.concat([Buffer.from([0, 1, 0, 0x10, 0, 0]), value]))
  const census = { rows: [], size: 0 }
  for (let index = 0; index < 100; index++) backend.keepRow(census, row)
  expect(census.rows.length * row.length).toBeLessThanOrEqual(mostOfCensus)
  expect(witness.take()).toEqual(['trouble: a statement holds more locks than can be kept'])
})

it('ends a conversation in which the server holds up a commit with notices', () => {
  const held: Buffer[] = []
  const conversation = new Conversation({
    ...{ watch: new Witness(''), now: () => 0, onRoom() {} },
    ...{ toServer() {}, toClient: (bytes: Buffer) => held.push(bytes) },
  })
  conversation.fromServer(message('S', Buffer.concat([text('client_encoding'), text('UTF8')])))
  conversation.fromServer(loggedIn)
  conversation.fromClient(simple('CREATE TABLE a ()'))
  // The answers to BEGIN, and to the statement, which is held back until its transaction is committed.
  const ready = message('Z', Buffer.from('T'))
  const done = (tag: string) => message('C', text(tag))
  for (const answer of [done('BEGIN'), ready, done('CREATE TABLE'), ready]) conversation.fromServer(answer)
  const notice = message('N', Buffer.alloc(64 * 1024, 'x'))
  const flood = () => {
    for (let index = 0; index < 2000; index++) conversation.fromServer(notice)
  }
  expect(flood).toThrow('the answer to a statement does not end')
})
