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
  /** The finding of a similar migration, which this one must not have or which loses nothing here. */
  resembles?: Limit | EffectKind
}

/** A migration with findings. */
export interface Harmful extends Case {
  finds: (Limit | EffectKind)[]
  losesData?: true
}

const all = <One extends Case>(common: Omit<One, 'sql'>, ...migrations: string[]) =>
  migrations.map(sql => ({ ...common, sql }) as One)

/** Harmful cases take twice as long as the limit on every machine. Safe cases take a hundredth. */
export const limits: Limits = { maxWriteBlock: 300, maxReadBlock: 300, maxRewrite: 256 * 1024 }

/** Migrations that block no session for long, and lose nothing. */
export const safe: Case[] = [
  ...all(
    {},
    'alter table orders add column paid boolean',
    'alter table orders add column seen timestamptz default now()',
    'create table refunds (order_id bigint references orders (id))',
    'create table totals as select id, total from orders; create index on totals (slow(total))',
    'refresh materialized view concurrently daily',
  ),
  ...all({ finds: ['table dropped'], resembles: 'table dropped' }, 'drop table unused'),
  ...all({ resembles: 'column dropped' }, 'alter table unused add more int; alter table unused drop more'),
  ...all({ resembles: 'type narrowed' }, 'alter table orders alter status type varchar(50)'),
  ...all({ resembles: 'table emptied' }, 'create table drafts as select 1; truncate drafts'),
  ...all({ resembles: 'rows deleted' }, 'delete from visits where id < 0'),
  ...all({ resembles: 'max_rewrite' }, "alter table orders add column source text not null default 'web'"),
  ...all(
    { isRare: true },
    "alter table orders alter status set default 'open'",
    'alter table orders alter status drop default',
    'alter table orders alter status type text',
    'alter table orders rename note to remark',
    'alter table coupons rename to vouchers',
    'create view open_orders as select id from orders',
    "create function twice(int) returns int language sql as 'select 2 * $1'",
    "alter type mood add value 'better'",
    "comment on table orders is 'what was bought'",
    "insert into coupons select 'n' || n, 1 from generate_series(1, 100) n",
    'update coupons set price = 2 where code = $$1$$',
    'alter table orders set (fillfactor = 80)',
    "create table events_2027 partition of events for values from ('2027-01-01') to ('2028-01-01')",
  ),
  ...all(
    { transaction: false, resembles: 'max_write_block' },
    'create index concurrently by_total on orders (slow(total))',
  ),
  ...all({ transaction: false, resembles: 'max_read_block' }, 'reindex index concurrently orders_slow'),
  ...all(
    { transaction: false, resembles: 'constraint not valid' },
    'alter table orders add constraint positive check (slow(total) > 0) not valid; alter table orders validate constraint positive',
  ),
  ...all(
    { transaction: false },
    'alter table orders add constraint noted check (note is not null) not valid; alter table orders validate constraint noted; alter table orders alter note set not null; alter table orders drop constraint noted',
    'create unique index concurrently coupons_code on coupons (code); alter table coupons add constraint coupons_code unique using index coupons_code',
    `do $$ begin for batch in 0..3 loop
      update visits set place = 'there' where id between batch * 500 and batch * 500 + 499; perform pg_sleep(0.15); commit; end loop; end $$`,
    'vacuum orders; analyze orders',
  ),
  ...all(
    { transaction: false, isRare: true },
    'drop index concurrently orders_status',
    'alter table orders add constraint placed_by foreign key (customer_id) references customers not valid; alter table orders validate constraint placed_by',
  ),
]

export const wait = 'select pg_sleep(0.6)'

/** Migrations with findings. */
export const harmful: Harmful[] = [
  ...all<Harmful>(
    { finds: ['max_read_block', 'max_rewrite'] },
    'alter table orders alter total type bigint',
    'alter table orders set unlogged',
  ),
  ...all<Harmful>(
    { finds: ['max_read_block', 'max_rewrite'], isRare: true },
    'alter table orders add column seen timestamptz default clock_timestamp()',
    'alter table orders add column d int generated always as (total * 2) stored',
    'alter table orders add column number int generated always as identity',
    'alter table orders add column number bigserial',
    'cluster orders using orders_key',
    'alter table orders alter status type varchar(10)',
  ),
  ...all<Harmful>({ finds: ['max_read_block', 'max_rewrite'], transaction: false }, 'vacuum full orders'),
  ...all<Harmful>({ finds: ['column dropped'], losesData: true }, 'alter table customers drop column phone'),
  ...all<Harmful>(
    { finds: ['table dropped'], losesData: true },
    'drop table coupons',
    'drop schema archive cascade',
    'drop table events_2025',
  ),
  ...all<Harmful>({ finds: ['table emptied'], losesData: true }, 'truncate coupons'),
  ...all<Harmful>({ finds: ['rows deleted'], losesData: true }, 'delete from coupons'),
  ...all<Harmful>(
    { finds: ['max_write_block'] },
    'create index by_total on orders (slow(total))',
    `update visits set place = 'there'; ${wait}`,
  ),
  ...all<Harmful>(
    { finds: ['max_write_block'], isRare: true },
    'create unique index by_mail on customers (slow(id))',
    `lock table customers in share mode; ${wait}`,
  ),
  ...all<Harmful>(
    { finds: ['max_read_block'] },
    'reindex table orders',
    'alter table orders add constraint positive check (slow(total) > 0) not valid; alter table orders validate constraint positive',
    'refresh materialized view daily',
    "alter table events attach partition events_2026 for values from ('2026-01-01') to ('2027-01-01')",
  ),
  ...all<Harmful>(
    { finds: ['max_read_block'], isRare: true },
    'alter table orders add check (slow(total) > 0)',
    'alter table orders alter note set not null, add check (slow(total) > 0)',
    'alter table orders add column paid boolean; update orders set paid = slow(id) > 0',
  ),
  ...all<Harmful>(
    { finds: ['constraint not valid'] },
    'alter table visits add foreign key (id) references customers not valid',
  ),
  ...all<Harmful>(
    { finds: ['type narrowed'], losesData: true },
    'alter table coupons alter price type numeric(10,0)',
  ),
  ...all<Harmful>(
    { finds: ['max_read_block', 'max_rewrite', 'type narrowed'], losesData: true },
    'alter table orders alter placed type date',
  ),
]
