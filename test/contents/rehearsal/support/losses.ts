/** Tables, and migrations with and without losses, with the reported losses. */

/** Tables by name. A case gets the tables whose names it mentions. */
export const tables: Record<string, string> = {
  things: `
    create type mood as enum ('fine', 'bad');
    create type humor as enum ('good', 'angry', 'bad');
    create table things (
      id int primary key, total int, name varchar(20), number text, tags text[], j jsonb, at timestamptz, local timestamp, day timestamptz,
      measured float8, amount numeric(10,2), ratio numeric, feeling mood, nothing text, double int generated always as (id * 2) stored);
    insert into things select n, n, 'name ' || n, n, array['a', 'b' || n], jsonb_build_object('a', n, 'b', n),
      '2026-01-01 10:00+00'::timestamptz + n * interval '1 hour', '2026-01-01 10:00', '2026-01-01 00:00+00',
      n * 1.00500000001, n + 0.25, n / 7.0, (array['fine', 'bad'])[1 + n % 2]::mood, null from generate_series(1, 300) n;
    create function convert(text) returns void language plpgsql as
      $$ begin execute format('alter table %I alter total type bigint ' || 'using 0', $1); end $$;
    create function clear(text) returns void language plpgsql as
      $$ begin execute format('delete from %I where true', $1); end $$;`,
  events: `
    create table events (at date, what text) partition by range (at);
    create table events_2025 partition of events for values from ('2025-01-01') to ('2026-01-01');
    create table events_2026 partition of events for values from ('2026-01-01') to ('2027-01-01');
    insert into events select '2025-03-01', 'x' from generate_series(1, 2000);
    create table events_2027 as select '2027-03-01'::date as at, 'x' as what from generate_series(1, 10);`,
  place: `
    create type place as (city text, street text);
    create table placed as select n as id, row('a', 'b')::place as at, array[row('a', 'b')::place] as many from generate_series(1, 10) n;`,
  cleared: `
    create table cleared as select generate_series(1, 9) as id;
    delete from cleared;`,
  blank: `
    create table blank (a text);
    insert into blank values (null), (null);`,
  child: `
    create table parent (id int);
    create table child () inherits (parent);
    insert into parent values (0);
    insert into child select generate_series(1, 10);`,
  hidden: `
    create table hidden as select generate_series(1, 10) as id;
    alter table hidden enable row level security, force row level security;`,
}

/** Large objects have no schema: three of a user, and a note of the action. */
export const objects = `
  select lo_from_bytea(0, 'a picture') from generate_series(1, 3);
  do $$ declare id oid := lo_from_bytea(0, 'a note');
    begin execute format('comment on large object %s is %L', id, 'managed-database-action: preview'); end $$;`

/** A change of a column, and whether a loss is reported: with a fingerprint, and for a larger table. */
export const conversions: [action: string, small: boolean, large: boolean][] = [
  ["number type text using 'x'", true, true],
  ['number type text using null', true, true],
  ['number type text using left(number, 1)', true, true],
  ['number type varchar(10) using left(number, 1)', true, true],
  ['number type int using number::int', false, true],
  ['number type int using length(number)', true, true],
  ['total type bigint using 0', true, true],
  ['total type bigint using total % 7', true, true],
  ['total type bigint', false, false],
  ['total type bigint using total::bigint', false, false],
  ['total type numeric', false, false],
  ['total type smallint', false, true],
  ['tags type text using tags[1]', true, true],
  ["j type text using j->>'a'", true, true],
  ["j type int using (j->>'a')::int", true, true],
  ['at type int using extract(epoch from at)::int', true, true],
  ['at type date', true, true],
  ['day type date', false, true],
  ["local type timestamptz using local at time zone 'Europe/Berlin'", false, false],
  ['measured type numeric(10,2)', true, true],
  ['measured type real', true, true],
  ['ratio type double precision', true, true],
  ['ratio type numeric(10,2)', true, true],
  ['amount type numeric(12,4)', false, false],
  ['amount type numeric(12,1)', true, true],
  ['amount type double precision', false, true],
  ['name type varchar(50)', false, false],
  ['name type varchar(10)', false, true],
  ['name type char(3) using left(name, 3)', true, true],
  ['feeling type text', false, false],
  ["feeling type boolean using feeling = 'fine'", true, true],
  ["feeling type humor using case feeling when 'fine' then 'good' else 'angry' end::humor", false, true],
  ["feeling type humor using 'good'", true, true],
  ["feeling type humor using nullif(feeling::text, 'fine')::humor", true, true],
  ['nothing type int using 1', false, true],
]

/**
 * Statements with their reported losses, and those of larger tables unless they only differ by `about`. Each statement is a
 * transaction of its own unless the statements begin one.
 */
export const losses: [name: string, sql: string, small: string[], large?: string[]][] = [
  [
    'rows deleted before ANALYZE',
    'delete from things where id <= 9; analyze things',
    ['9 rows deleted from things'],
  ],
  ['rows of nulls deleted', 'delete from blank', ['2 rows deleted from blank']],
  ['rows of a child deleted', 'delete from child where id <= 2', ['2 rows deleted from child']],
  [
    'a table dropped that others inherited from',
    'alter table child no inherit parent; drop table parent',
    ['table parent dropped, 1 row'],
  ],
  ['a table dropped after its rows', 'drop table cleared', ['harmless: table cleared dropped, 0 rows']],
  [
    'a conversion that no statement shows',
    "begin; select convert('things'); commit",
    ['column things.total converted from integer to bigint, 300 values'],
  ],
  [
    'an attribute of a composite type dropped',
    'alter type place drop attribute street',
    [
      'column placed.at converted by DROP ATTRIBUTE street, 10 values',
      'column placed.many converted by DROP ATTRIBUTE street, 10 values',
    ],
  ],
  ['values updated in a rewritten table', "update things set name = 'b'; vacuum full things", []],
  [
    'a column renamed and converted',
    'alter table things rename number to digits; alter table things alter digits type text using left(digits, 1)',
    ['column things.number converted by USING, 300 values'],
  ],
  [
    'a column converted and renamed',
    'alter table things alter number type text using left(number, 1); alter table things rename number to digits',
    ['column things.number converted by USING, 300 values'],
  ],
  [
    'a partition replaced by one with the same rows',
    `begin; alter table events detach partition events_2025;
     create table events_new partition of events for values from ('2025-01-01') to ('2026-01-01');
     insert into events select * from events_2025; drop table events_2025; commit`,
    [],
    ['1 part of events dropped, about 2,000 rows'],
  ],
  ['a table whose rows are hidden', 'drop table hidden', ['table hidden dropped, about 10 rows']],
  [
    'rows inserted and rolled back, and others updated',
    `begin; insert into things (id) select generate_series(1000, 1009); rollback; update things set name = 'a' where id <= 5`,
    [],
  ],
  [
    'rows inserted and rolled back, and a new file',
    'begin; insert into things (id) select generate_series(1000, 1009); rollback; alter table things set unlogged',
    [],
  ],
  [
    'a partition attached, and a row deleted',
    `begin; alter table events attach partition events_2027 for values from ('2027-01-01') to ('2028-01-01');
     delete from events_2025 where ctid = '(0,1)'; commit`,
    ['1 row deleted from events'],
  ],
  [
    'a deletion that was rolled back, and others inserted',
    'begin; insert into things (id) select generate_series(1000, 1009); delete from things where id = 1; rollback; insert into things (id) values (2000)',
    [],
  ],
  ['rows deleted', 'delete from things where id <= 9', ['9 rows deleted from things']],
  ['rows deleted by a function', "select clear('things')", ['300 rows deleted from things']],
  [
    'rows that are inserted again',
    'create table kept as select * from things; alter table kept drop column double; delete from things; insert into things select * from kept',
    [],
    ['300 rows deleted from things'],
  ],
  [
    'a delete that was rolled back, and an update',
    'begin; delete from things; rollback; update things set name = $$a$$ where id = 1',
    [],
  ],
  [
    'a delete that was rolled back, and a smaller one',
    'begin; delete from things; rollback; delete from things where id <= 3',
    ['3 rows deleted from things'],
  ],
  [
    'a delete in an earlier transaction',
    'delete from things where id <= 3; update things set name = $$a$$; update things set name = $$b$$',
    ['3 rows deleted from things'],
  ],
  [
    'rows deleted and others inserted',
    "delete from things where id <= 3; insert into things (id, name) select n, 'b' from generate_series(1000, 1009) n",
    ['3 rows deleted from things'],
  ],
  ['a table emptied', 'truncate things', ['things emptied, 300 rows']],
  [
    'a table emptied, and filled with less',
    "truncate things; insert into things (id, name) select n, 'b' from generate_series(1, 9) n",
    ['300 rows deleted from things'],
    ['an unknown number of rows deleted from things'],
  ],
  [
    'a table emptied, and filled with the same',
    'begin; create temp table kept as select * from things; alter table kept drop column double; truncate things; insert into things select * from kept; commit',
    [],
    ['an unknown number of rows deleted from things'],
  ],
  ['a truncation that was rolled back', 'begin; truncate things; rollback', []],
  ['a table dropped', 'drop table things', ['table things dropped, 300 rows']],
  ['a partitioned table dropped', 'drop table events', ['table events dropped, 2,000 rows']],
  ['a partition dropped', 'begin; drop table events_2025; commit', ['1 part of events dropped, 2,000 rows']],
  [
    'a partition without rows dropped',
    'begin; drop table events_2026; commit',
    [],
    ['1 part of events dropped, about 0 rows'],
  ],
  ['a partition detached', 'alter table events detach partition events_2025', []],
  ['a row in another partition', "update events set at = '2026-03-01' where ctid = '(0,1)'", []],
  ['a column dropped', 'alter table things drop column name', ['column things.name dropped, 300 values']],
  [
    'a column of nulls dropped',
    'alter table things drop column nothing',
    ['harmless: column things.nothing dropped, 0 values'],
  ],
  ['a generated column dropped', 'alter table things drop column double', []],
  [
    'a column of another partitioned table',
    'alter table events drop column what',
    ['column events.what dropped, 2,000 values'],
  ],
  ['a type renamed', 'alter type mood rename to temper; /* things */', []],
  ['a rewritten table', 'vacuum full things', []],
]

export const objectLosses: [sql: string, found: string][] = [
  ['select lo_unlink(oid) from pg_largeobject_metadata m', '3 large objects deleted'],
  [
    'select lo_unlink(min(oid)), lo_create(0) from pg_largeobject_metadata m where not exists (select from pg_description where objoid = m.oid)',
    '1 large object deleted',
  ],
]
