/** Safe and harmful migrations, with their findings. */
import type { EffectKind } from '#contents/rehearsal/measure/effects'
import type { Limit, Limits } from '#contents/rehearsal/result/limits'

/** A migration of the shop. Each file is one transaction. Without `transaction`, each statement is one. */
export interface Case {
  sql: string
  transaction?: false
  /** Runs each night only, since another case covers the same code. */
  isRare?: true
  /** The exceeded limits, and the effects. Default: none. */
  finds?: (Limit | EffectKind)[]
}

/** A migration with findings. */
export interface Harmful extends Case {
  finds: (Limit | EffectKind)[]
  losesData?: true
}

/** `documentation` is a summary of that of PostgreSQL 17 and 18. */
const all = <One extends Case>(
  common: Omit<One, 'sql'>,
  migrations: [sql: string, documentation: string][],
) => migrations.map(([sql]) => ({ ...common, sql }) as One)

/** Harmful cases take twice as long as the limit on every machine. Safe cases take a hundredth. */
export const limits: Limits = { maxWriteBlock: 300, maxReadBlock: 300, maxRewrite: 256 * 1024 }

/** Migrations that block no session for long, and lose nothing. */
export const safe: Case[] = [
  ...all({}, [
    ['alter table orders add column paid boolean', 'ALTER TABLE: ACCESS EXCLUSIVE, only for the catalog'],
    [
      "alter table orders add column source text not null default 'web'",
      'ALTER TABLE, Notes: a non-volatile DEFAULT is evaluated once and stored in the metadata',
    ],
    ['alter table orders add column seen timestamptz default now()', 'Notes: now() is stable: no rewrite'],
    ['create table refunds (order_id bigint references orders (id))', 'SHARE ROW EXCLUSIVE on both tables'],
    [
      'create table totals as select id, total from orders; create index on totals (slow(total))',
      'CREATE INDEX: SHARE on a table that no other session sees yet',
    ],
    ['alter table orders alter status type varchar(50)', 'Notes: no rewrite if the type is binary coercible'],
    ['refresh materialized view concurrently daily', 'REFRESH CONCURRENTLY: allows concurrent selects'],
  ]),
  ...all({ finds: ['table dropped'] }, [
    ['drop table unused', 'DROP TABLE: ACCESS EXCLUSIVE, of a table without rows'],
  ]),
  ...all({ isRare: true }, [
    ["alter table orders alter status set default 'open'", 'SET DEFAULT applies to later INSERTs only'],
    ['alter table orders alter status drop default', 'DROP DEFAULT changes no row'],
    ['alter table orders alter status type text', 'the same: varchar is binary coercible to text'],
    ['alter table orders rename note to remark', 'RENAME: no effect on the stored data'],
    ['alter table coupons rename to vouchers', 'RENAME: no effect on the stored data'],
    ['create view open_orders as select id from orders', 'CREATE VIEW: the view is not materialized'],
    ["create function twice(int) returns int language sql as 'select 2 * $1'", 'it touches no table'],
    ["alter type mood add value 'better'", 'ALTER TYPE … ADD VALUE locks no table'],
    ["comment on table orders is 'what was bought'", 'COMMENT: SHARE UPDATE EXCLUSIVE'],
    ["insert into coupons select 'n' || n, 1 from generate_series(1, 100) n", 'INSERT: ROW EXCLUSIVE'],
    ['update coupons set price = 2 where code = $$1$$', 'UPDATE: ROW EXCLUSIVE, and the rows'],
    ['alter table orders set (fillfactor = 80)', 'SET storage_parameter: SHARE UPDATE EXCLUSIVE'],
    [
      "create table events_2027 partition of events for values from ('2027-01-01') to ('2028-01-01')",
      'CREATE TABLE PARTITION OF: ACCESS EXCLUSIVE on the parent, with nothing to read',
    ],
  ]),
  ...all({ transaction: false }, [
    ['create index concurrently by_total on orders (slow(total))', 'SHARE UPDATE EXCLUSIVE: writes go on'],
    [
      'alter table orders add constraint positive check (slow(total) > 0) not valid; alter table orders validate constraint positive',
      'VALIDATE CONSTRAINT: SHARE UPDATE EXCLUSIVE, concurrent updates need not wait',
    ],
    [
      'alter table orders add constraint noted check (note is not null) not valid; alter table orders validate constraint noted; alter table orders alter note set not null; alter table orders drop constraint noted',
      'SET NOT NULL: the scan is skipped where a valid CHECK proves that there is no NULL',
    ],
    ['reindex index concurrently orders_slow', 'REINDEX CONCURRENTLY: no lock against writes'],
    [
      'create unique index concurrently coupons_code on coupons (code); alter table coupons add constraint coupons_code unique using index coupons_code',
      'ADD table_constraint_using_index: the index is renamed, nothing is built',
    ],
    [
      `do $$ begin for batch in 0..3 loop
      update visits set place = 'there' where id between batch * 500 and batch * 500 + 499; perform pg_sleep(0.15); commit; end loop; end $$`,
      'transaction control in DO: COMMIT ends each batch, and its locks',
    ],
    ['vacuum orders; analyze orders', 'VACUUM without FULL, ANALYZE: SHARE UPDATE EXCLUSIVE'],
  ]),
  ...all({ transaction: false, isRare: true }, [
    ['drop index concurrently orders_status', 'DROP INDEX CONCURRENTLY: no lock against them'],
    [
      'alter table orders add constraint placed_by foreign key (customer_id) references customers not valid; alter table orders validate constraint placed_by',
      'VALIDATE CONSTRAINT: SHARE UPDATE EXCLUSIVE, and ROW SHARE on the table referred to',
    ],
  ]),
]

export const wait = 'select pg_sleep(0.6)'

/** Migrations with findings. */
export const harmful: Harmful[] = [
  ...all<Harmful>({ finds: ['max_read_block', 'max_rewrite'] }, [
    ['alter table orders alter total type bigint', 'Notes: changing the type rewrites table and indexes'],
    ['alter table orders set unlogged', 'SET UNLOGGED rewrites the table'],
  ]),
  ...all<Harmful>({ finds: ['max_read_block', 'max_rewrite'], isRare: true }, [
    ['alter table orders add column seen timestamptz default clock_timestamp()', 'Notes: a volatile DEFAULT'],
    ['alter table orders add column d int generated always as (total * 2) stored', 'Notes: a stored column'],
    ['alter table orders add column number int generated always as identity', 'Notes: an identity column'],
    ['alter table orders add column number bigserial', 'serial is a default of nextval, which is volatile'],
    ['cluster orders using orders_key', 'CLUSTER: ACCESS EXCLUSIVE, no other operations, reads included'],
    [
      'alter table orders alter status type varchar(10)',
      'the values are converted and checked, under ACCESS EXCLUSIVE; a longer one is an error, so none is cut',
    ],
  ]),
  ...all<Harmful>({ finds: ['max_read_block', 'max_rewrite'], transaction: false }, [
    ['vacuum full orders', 'VACUUM FULL: ACCESS EXCLUSIVE while it writes a new copy'],
  ]),
  ...all<Harmful>({ finds: ['column dropped'], losesData: true }, [
    ['alter table customers drop column phone', 'DROP COLUMN: the column is invisible to SQL at once'],
  ]),
  ...all<Harmful>({ finds: ['table dropped'], losesData: true }, [
    ['drop table coupons', 'DROP TABLE removes it with its rows'],
    ['drop schema archive cascade', 'DROP SCHEMA CASCADE drops all that is in it'],
    ['drop table events_2025', 'dropping a partition removes all its rows'],
  ]),
  ...all<Harmful>({ finds: ['table emptied'], losesData: true }, [
    ['truncate coupons', 'TRUNCATE: ACCESS EXCLUSIVE, removes all rows without scanning'],
  ]),
  ...all<Harmful>({ finds: ['rows deleted'], losesData: true }, [
    ['delete from coupons', 'DELETE without WHERE deletes all rows'],
  ]),
  ...all<Harmful>({ finds: ['max_write_block'] }, [
    ['create index by_total on orders (slow(total))', 'CREATE INDEX: locks out writes until it is built'],
    [`update visits set place = 'there'; ${wait}`, 'row locks are held to the end of the transaction'],
  ]),
  ...all<Harmful>({ finds: ['max_write_block'], isRare: true }, [
    ['create unique index by_mail on customers (slow(id))', 'CREATE UNIQUE INDEX: the same'],
    [`lock table customers in share mode; ${wait}`, 'LOCK: SHARE protects against concurrent changes'],
  ]),
  ...all<Harmful>({ finds: ['max_read_block'] }, [
    ['reindex table orders', 'REINDEX: locks out writes, and reads that would use the index'],
    [
      'alter table orders add constraint positive check (slow(total) > 0) not valid; alter table orders validate constraint positive',
      'locks are held to the end of the transaction: that of ADD CONSTRAINT too',
    ],
    ['refresh materialized view daily', 'REFRESH: ACCESS EXCLUSIVE, locks out selects'],
    [
      "alter table events attach partition events_2026 for values from ('2026-01-01') to ('2027-01-01')",
      'ATTACH PARTITION: ACCESS EXCLUSIVE on the partition, whose missing indexes are built',
    ],
  ]),
  ...all<Harmful>({ finds: ['max_read_block'], isRare: true }, [
    ['alter table orders add check (slow(total) > 0)', 'ADD CONSTRAINT: ACCESS EXCLUSIVE for all rows'],
    ['alter table orders alter note set not null, add check (slow(total) > 0)', 'SET NOT NULL reads all'],
    [
      'alter table orders add column paid boolean; update orders set paid = slow(id) > 0',
      'locks are held to the end of the transaction',
    ],
  ]),
  ...all<Harmful>({ finds: ['constraint not valid'] }, [
    ['alter table visits add foreign key (id) references customers not valid', 'NOT VALID: checks no rows'],
  ]),
  ...all<Harmful>({ finds: ['type narrowed'], losesData: true }, [
    ['alter table coupons alter price type numeric(10,0)', 'numeric: rounded to the new scale'],
  ]),
  ...all<Harmful>({ finds: ['max_read_block', 'max_rewrite', 'type narrowed'], losesData: true }, [
    ['alter table orders alter placed type date', 'a cast to date drops the time of day'],
  ]),
]
