/** Safe and harmful migrations, with their findings. */
import type { EffectKind } from '#contents/rehearsal/measure/effects'
import type { Limit, Limits } from '#contents/rehearsal/result/limits'

/** A migration of the shop. Each file is one transaction. Without `transaction`, each statement is one. */
export interface Case {
  name: string
  sql: string
  /** A summary of PostgreSQL's documentation, versions 17 and 18. */
  says: string
  transaction?: false
  /** Runs each night only, since another case covers the same code. */
  isRare?: true
}

/** A migration with its exceeded limits and its effects. */
export interface Harmful extends Case {
  finds: (Limit | EffectKind)[]
}

/** Harmful cases take twice as long as the limit on every machine. Safe cases take a hundredth. */
export const limits: Limits = { maxWriteBlock: 300, maxReadBlock: 300, maxRewrite: 256 * 1024 }

/** Migrations that block no session for long, and lose nothing. */
export const safe: Case[] = [
  {
    name: 'a column more',
    sql: 'alter table orders add column paid boolean',
    says: 'ALTER TABLE: ACCESS EXCLUSIVE, but only the catalog is changed',
  },
  {
    name: 'a column with a constant default',
    sql: "alter table orders add column source text not null default 'web'",
    says: 'ALTER TABLE, Notes: a non-volatile DEFAULT is evaluated once and stored in the metadata',
  },
  {
    name: 'a column with the time as its default',
    sql: 'alter table orders add column seen timestamptz default now()',
    says: 'ALTER TABLE, Notes: now() is stable, not volatile: no rewrite',
  },
  {
    name: 'another default',
    isRare: true,
    sql: "alter table orders alter status set default 'open'",
    says: 'SET DEFAULT applies to later INSERTs only',
  },
  {
    name: 'no default',
    isRare: true,
    sql: 'alter table orders alter status drop default',
    says: 'DROP DEFAULT changes no row',
  },
  {
    name: 'a new table that refers to an old one',
    sql: 'create table refunds (order_id bigint references orders (id))',
    says: 'ADD FOREIGN KEY: SHARE ROW EXCLUSIVE on both, and no rows to check',
  },
  {
    name: 'an index made concurrently',
    sql: 'create index concurrently by_total on orders (slow(total))',
    says: 'CREATE INDEX CONCURRENTLY: SHARE UPDATE EXCLUSIVE, writes go on',
    transaction: false,
  },
  {
    name: 'an index dropped concurrently',
    isRare: true,
    sql: 'drop index concurrently orders_status',
    says: 'DROP INDEX CONCURRENTLY: does not lock out SELECT, INSERT, UPDATE, DELETE',
    transaction: false,
  },
  {
    name: 'an index on a table of the same migration',
    sql: 'create table totals as select id, total from orders; create index on totals (slow(total))',
    says: 'CREATE INDEX: SHARE on a table that nobody else sees yet',
  },
  {
    name: 'a check in two steps',
    sql: 'alter table orders add constraint positive check (slow(total) > 0) not valid; alter table orders validate constraint positive',
    says: 'VALIDATE CONSTRAINT: SHARE UPDATE EXCLUSIVE, concurrent updates need not wait',
    transaction: false,
  },
  {
    name: 'a foreign key in two steps',
    isRare: true,
    sql: 'alter table orders add constraint placed_by foreign key (customer_id) references customers not valid; alter table orders validate constraint placed_by',
    says: 'VALIDATE CONSTRAINT: SHARE UPDATE EXCLUSIVE, and ROW SHARE on the table referred to',
    transaction: false,
  },
  {
    name: 'NOT NULL behind a check that proves it',
    sql: 'alter table orders add constraint noted check (note is not null) not valid; alter table orders validate constraint noted; alter table orders alter note set not null; alter table orders drop constraint noted',
    says: 'SET NOT NULL: the scan is skipped where a valid CHECK proves that there is no NULL',
    transaction: false,
  },
  {
    name: 'a longer varchar',
    sql: 'alter table orders alter status type varchar(50)',
    says: 'ALTER TABLE, Notes: no rewrite where the old type is binary coercible to the new one',
  },
  {
    name: 'text in place of varchar',
    isRare: true,
    sql: 'alter table orders alter status type text',
    says: 'the same: varchar is binary coercible to text',
  },
  {
    name: 'another name of a column',
    isRare: true,
    sql: 'alter table orders rename note to remark',
    says: 'RENAME: no effect on the stored data',
  },
  {
    name: 'another name of a table',
    isRare: true,
    sql: 'alter table coupons rename to vouchers',
    says: 'RENAME: no effect on the stored data',
  },
  {
    name: 'a view',
    isRare: true,
    sql: 'create view open_orders as select id from orders',
    says: 'CREATE VIEW: the view is not physically materialized',
  },
  {
    name: 'a function',
    isRare: true,
    sql: "create function twice(int) returns int language sql as 'select 2 * $1'",
    says: 'CREATE FUNCTION touches no table',
  },
  {
    name: 'an index built again concurrently',
    sql: 'reindex index concurrently orders_slow',
    says: 'REINDEX CONCURRENTLY: no lock that prevents inserts, updates, or deletes',
    transaction: false,
  },
  {
    name: 'a view refreshed concurrently',
    sql: 'refresh materialized view concurrently daily',
    says: 'REFRESH CONCURRENTLY: without locking out concurrent selects',
  },
  {
    name: 'a unique constraint from an index',
    sql: 'create unique index concurrently coupons_code on coupons (code); alter table coupons add constraint coupons_code unique using index coupons_code',
    says: 'ADD table_constraint_using_index: the index is renamed, nothing is built',
    transaction: false,
  },
  {
    name: 'a value of an enum',
    isRare: true,
    sql: "alter type mood add value 'better'",
    says: 'ALTER TYPE … ADD VALUE locks no table',
  },
  {
    name: 'a comment',
    isRare: true,
    sql: "comment on table orders is 'what was bought'",
    says: 'COMMENT: SHARE UPDATE EXCLUSIVE',
  },
  {
    name: 'rows for a new feature',
    isRare: true,
    sql: "insert into coupons select 'n' || n, 1 from generate_series(1, 100) n",
    says: 'INSERT: ROW EXCLUSIVE',
  },
  {
    name: 'a few rows changed',
    isRare: true,
    sql: 'update coupons set price = 2 where code = $$1$$',
    says: 'UPDATE: ROW EXCLUSIVE, and the rows',
  },
  {
    name: 'many rows, in batches',
    sql: `do $$ begin for batch in 0..3 loop
      update visits set place = 'there' where id between batch * 500 and batch * 500 + 499; perform pg_sleep(0.15); commit; end loop; end $$`,
    says: 'transaction control in DO: COMMIT ends each batch, and its locks',
    transaction: false,
  },
  {
    name: 'vacuum and statistics',
    sql: 'vacuum orders; analyze orders',
    says: 'VACUUM without FULL, ANALYZE: SHARE UPDATE EXCLUSIVE',
    transaction: false,
  },
  {
    name: 'room in the pages',
    isRare: true,
    sql: 'alter table orders set (fillfactor = 80)',
    says: 'SET storage_parameter: SHARE UPDATE EXCLUSIVE, contents not modified',
  },
  {
    name: 'a partition for next year',
    isRare: true,
    sql: "create table events_2027 partition of events for values from ('2027-01-01') to ('2028-01-01')",
    says: 'CREATE TABLE PARTITION OF: ACCESS EXCLUSIVE on the parent, with nothing to read',
  },
  {
    name: 'an empty table dropped',
    sql: 'drop table unused',
    says: 'DROP TABLE: ACCESS EXCLUSIVE, of a table without rows',
  },
]

export const wait = 'select pg_sleep(0.6)'

/** Migrations with findings. */
export const harmful: Harmful[] = [
  {
    name: 'another type',
    finds: ['max_read_block', 'max_rewrite'],
    sql: 'alter table orders alter total type bigint',
    says: 'ALTER TABLE, Notes: changing the type rewrites the table and its indexes, under ACCESS EXCLUSIVE',
  },
  {
    name: 'a volatile default',
    isRare: true,
    finds: ['max_read_block', 'max_rewrite'],
    sql: 'alter table orders add column seen timestamptz default clock_timestamp()',
    says: 'ALTER TABLE, Notes: a volatile DEFAULT rewrites the table',
  },
  {
    name: 'a stored generated column',
    isRare: true,
    finds: ['max_read_block', 'max_rewrite'],
    sql: 'alter table orders add column double int generated always as (total * 2) stored',
    says: 'ALTER TABLE, Notes: a stored generated column rewrites the table',
  },
  {
    name: 'an identity column',
    isRare: true,
    finds: ['max_read_block', 'max_rewrite'],
    sql: 'alter table orders add column number int generated always as identity',
    says: 'ALTER TABLE, Notes: an identity column rewrites the table',
  },
  {
    name: 'a serial column',
    isRare: true,
    finds: ['max_read_block', 'max_rewrite'],
    sql: 'alter table orders add column number bigserial',
    says: 'serial is a default of nextval, which is volatile',
  },
  {
    name: 'a table without a log',
    finds: ['max_read_block', 'max_rewrite'],
    sql: 'alter table orders set unlogged',
    says: 'SET UNLOGGED rewrites the table',
  },
  {
    name: 'VACUUM FULL',
    finds: ['max_read_block', 'max_rewrite'],
    sql: 'vacuum full orders',
    says: 'VACUUM FULL: ACCESS EXCLUSIVE while it writes a new copy',
    transaction: false,
  },
  {
    name: 'CLUSTER',
    isRare: true,
    finds: ['max_read_block', 'max_rewrite'],
    sql: 'cluster orders using orders_pkey',
    says: 'CLUSTER: ACCESS EXCLUSIVE, no other operations, reads included',
  },
  {
    name: 'a shorter varchar',
    isRare: true,
    finds: ['max_read_block', 'max_rewrite'],
    sql: 'alter table orders alter status type varchar(10)',
    says: 'the values are converted and checked, under ACCESS EXCLUSIVE; a longer one is an error, so none is cut',
  },
  {
    name: 'a column dropped',
    finds: ['column dropped'],
    sql: 'alter table customers drop column phone',
    says: 'DROP COLUMN: the column is invisible to SQL at once',
  },
  {
    name: 'a table dropped',
    finds: ['table dropped'],
    sql: 'drop table coupons',
    says: 'DROP TABLE removes it with its rows',
  },
  {
    name: 'a table emptied',
    finds: ['table emptied'],
    sql: 'truncate coupons',
    says: 'TRUNCATE: ACCESS EXCLUSIVE, removes all rows without scanning',
  },
  {
    name: 'rows deleted',
    finds: ['rows deleted'],
    sql: 'delete from coupons',
    says: 'DELETE without WHERE deletes all rows',
  },
  {
    name: 'an index',
    finds: ['max_write_block'],
    sql: 'create index by_total on orders (slow(total))',
    says: 'CREATE INDEX: locks out writes until it is built',
  },
  {
    name: 'a unique index',
    isRare: true,
    finds: ['max_write_block'],
    sql: 'create unique index by_mail on customers (slow(id))',
    says: 'CREATE UNIQUE INDEX: the same',
  },
  {
    name: 'indexes built again',
    finds: ['max_read_block'],
    sql: 'reindex table orders',
    says: 'REINDEX: locks out writes, and reads that would use the index',
  },
  {
    name: 'a check',
    isRare: true,
    finds: ['max_read_block'],
    sql: 'alter table orders add check (slow(total) > 0)',
    says: 'ADD CONSTRAINT: ACCESS EXCLUSIVE while all rows are read',
  },
  {
    name: 'a check validated in the same transaction',
    finds: ['max_read_block'],
    sql: 'alter table orders add constraint positive check (slow(total) > 0) not valid; alter table orders validate constraint positive',
    says: 'locks are held to the end of the transaction: that of ADD CONSTRAINT too',
  },
  {
    name: 'NOT NULL with a check',
    isRare: true,
    finds: ['max_read_block'],
    sql: 'alter table orders alter note set not null, add check (slow(total) > 0)',
    says: 'SET NOT NULL reads all rows under ACCESS EXCLUSIVE',
  },
  {
    name: 'a column that is filled in the same transaction',
    isRare: true,
    finds: ['max_read_block'],
    sql: 'alter table orders add column paid boolean; update orders set paid = slow(id) > 0',
    says: 'locks are held to the end of the transaction',
  },
  {
    name: 'a lock of one’s own',
    isRare: true,
    finds: ['max_write_block'],
    sql: `lock table customers in share mode; ${wait}`,
    says: 'LOCK: SHARE protects against concurrent changes',
  },
  {
    name: 'all rows at once',
    finds: ['max_write_block'],
    sql: `update visits set place = 'there'; ${wait}`,
    says: 'row locks are held to the end of the transaction',
  },
  {
    name: 'a view refreshed',
    finds: ['max_read_block'],
    sql: 'refresh materialized view daily',
    says: 'REFRESH: ACCESS EXCLUSIVE, locks out selects',
  },
  {
    name: 'a partition attached without its index',
    finds: ['max_read_block'],
    sql: "alter table events attach partition events_2026 for values from ('2026-01-01') to ('2027-01-01')",
    says: 'ATTACH PARTITION: ACCESS EXCLUSIVE on the partition, whose missing indexes are built',
  },
  {
    name: 'a schema dropped',
    finds: ['table dropped'],
    sql: 'drop schema old cascade',
    says: 'DROP SCHEMA CASCADE drops all that is in it',
  },
  {
    name: 'an index that cannot be built',
    finds: ['index invalid'],
    sql: 'create unique index concurrently by_status on orders (status)',
    says: 'CREATE INDEX CONCURRENTLY: a failure leaves an invalid index behind',
    transaction: false,
  },
  {
    name: 'a foreign key that rows break',
    finds: ['constraint not valid'],
    sql: 'alter table visits add foreign key (id) references customers not valid',
    says: 'NOT VALID: rows that are there are not checked',
  },
  {
    name: 'fewer digits',
    finds: ['type narrowed'],
    sql: 'alter table coupons alter price type numeric(10,0)',
    says: 'numeric: rounded to the new scale',
  },
  {
    name: 'dates without their time',
    finds: ['max_read_block', 'max_rewrite', 'type narrowed'],
    sql: 'alter table orders alter placed type date',
    says: 'a cast to date drops the time of day',
  },
  {
    name: 'large objects deleted',
    finds: ['large objects deleted'],
    sql: 'select lo_unlink(oid) from pg_largeobject_metadata',
    says: 'lo_unlink removes the large object from the database',
  },
  {
    name: 'a partition dropped',
    finds: ['table dropped'],
    sql: 'drop table events_2025',
    says: 'dropping a partition removes all its rows',
  },
]
