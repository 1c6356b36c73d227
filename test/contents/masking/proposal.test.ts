import { beforeAll, expect, it } from 'vitest'
import { checkRules } from '#contents/masking/masking'
import { readCatalog } from '#contents/masking/plan/catalog'
import { proposeRules } from '#contents/masking/plan/proposal'
import type { Outputs } from '../../support/fork.ts'
import { shareServer } from '../../support/shared-server.ts'
import { makeDatabase, mask, opener, parse } from './support/database.ts'

let service: Outputs
beforeAll(async () => {
  service = await shareServer()
})

it('a complete file is proposed by names and statistics, without a value, and can be used as it is', async () => {
  const outputs = await makeDatabase(
    service,
    `CREATE TABLE people (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, email text UNIQUE, first_name text NOT NULL, mobile varchar(20),
       "The note" text, status text, data jsonb NOT NULL, picture bytea, short_code varchar(8) UNIQUE, born date,
       shown text GENERATED ALWAYS AS (first_name || '!') STORED);
     CREATE TABLE orders (number text PRIMARY KEY, buyer_email text REFERENCES people (email), code varchar(8) REFERENCES people (short_code), tags text[], page xml);
     CREATE TABLE lines (number text REFERENCES orders (number), item text);
     CREATE TABLE days (day text, line text) PARTITION BY LIST (day); CREATE TABLE days_1 PARTITION OF days DEFAULT;
     CREATE TABLE counts (n int);
     INSERT INTO people (email, first_name, mobile, "The note", status, data, short_code)
       SELECT n || '@example.com', 'Canary ' || n, n, 'Canary note ' || n, 'open', '{"a": "canary"}', n FROM generate_series(1, 500) AS n;
     INSERT INTO orders SELECT 'A' || n, n || '@example.com', n, '{canary}', '<a/>' FROM generate_series(1, 100) AS n;
     INSERT INTO lines SELECT 'A' || n, 'Canary' FROM generate_series(1, 100) AS n;
     SELECT lo_from_bytea(0, 'canary'); ANALYZE`,
  )
  const text = await opener(outputs)(async session => proposeRules(await readCatalog(session)))
  expect(text).toMatchInlineSnapshot(`
    "# Guessed by names and statistics: look at every line.
    pg_catalog.pg_largeobject: drop_rows # about 1 large objects
    public.days:
      day: keep # text; cannot be changed
      line: text # text
    public.lines:
      number: hash # text, 100 distinct, 3 bytes; refers to another table (lines_number_fkey)
      item: keep # text, 1 distinct, 7 bytes
    public.orders:
      number: hash # text, 100 distinct, 3 bytes; must stay unique
      buyer_email: email # text, 100 distinct, 14 bytes; refers to another table (orders_buyer_email_fkey)
      code: keep # character varying(8), 100 distinct, 2 bytes; refers to another table (orders_code_fkey)
      tags: keep # text[], 1 distinct, 33 bytes
      page: null # xml, 0 distinct, 5 bytes
    public.people:
      email: email # text, 500 distinct, 15 bytes; must stay unique
      first_name: name # text, 500 distinct, 10 bytes
      mobile: phone # character varying(20), 500 distinct, 3 bytes
      "The note": text # text, 500 distinct, 15 bytes
      status: keep # text, 1 distinct, 5 bytes
      data: { fixed: '{}' } # jsonb, 1 distinct, 20 bytes
      picture: null # bytea, 0 distinct, 0 bytes
      short_code: keep # character varying(8), 500 distinct, 3 bytes; must stay unique
      # kept without a rule: id, born
    "
  `)
  expect(text).not.toMatch(/canary|example/i)
  await opener(outputs)(session => checkRules(session, parse(text)))
  expect((await mask(outputs, text)).proof.hits).toEqual([])
})
