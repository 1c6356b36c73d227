/** The tables of a shop. In most, reading or writing all rows takes at least 0.6 s on every machine. */

/** Tables by name. A case gets the tables whose names it mentions. */
export const tables: Record<string, string> = {
  customers: `
    create table customers (id int primary key, email text, phone text);
    insert into customers select n, 'someone@example.com', '555' from generate_series(1, 300) n;`,
  orders: `
    create table orders (
      id bigint constraint orders_key primary key, customer_id int not null, status varchar(20) default 'new', total int, note text,
      placed timestamptz default now());
    insert into orders select n, n, 'new', n, repeat('thank you ', 100), now() from generate_series(1, 300) n;
    create index orders_status on orders (status);
    create index orders_slow on orders (slow(id));`,
  visits: `
    create table visits (id int, place text);
    insert into visits select n, 'here' from generate_series(1, 2000) n;`,
  coupons: `
    create table coupons (code text, price numeric(10,2));
    insert into coupons select n::text, n + (n > 30)::int * 0.25 from generate_series(1, 40) n;`,
  unused: 'create table unused (id int);',
  daily: `
    create materialized view daily as select slow(n) as id from generate_series(1, 300) n;
    create unique index daily_id on daily (id);`,
  events: `
    create table events (at date, what text) partition by range (at);
    create table events_2025 partition of events for values from ('2025-01-01') to ('2026-01-01');
    insert into events select '2025-03-01', 'x' from generate_series(1, 300);
    create table events_2026 (at date, what text);
    insert into events_2026 select '2026-03-01', 'x' from generate_series(1, 300);
    create index events_slow on events (slow(what));`,
  archive: `
    create schema archive;
    create table archive.archived as select n from generate_series(1, 300) n;`,
  mood: "create type mood as enum ('fine');",
  total_domain: `
    create domain total_domain as int;
    create table sums (sum total_domain);
    insert into sums select generate_series(1, 300);`,
}

/** An index, a check and a view call it for each row. */
const slow = (time: string) => `
  create or replace function public.slow(anyelement) returns anyelement immutable language plpgsql
    as 'begin ${time} return $1; end';`

/** Each case has a schema and tables of its own. Statements are attributed by names, so each name occurs in one case only. */
export const rename = (sql: string, index: number) =>
  sql.replace(new RegExp(`\\b(?:${Object.keys(tables).join('|')})\\w*`, 'g'), `$&_${index}_`)

/** SQL that runs in the schema of a case. */
export const inCase = (sql: string, index: number) =>
  `set search_path = case_${index}, public;\n${rename(sql, index)}`

/** Creates the tables of all cases. Filling them takes no time, unlike changing them. */
export function fill(cases: readonly string[]): string {
  const filled = cases.map((sql, index) => {
    const mentioned = Object.entries(tables).filter(([name]) => new RegExp(`\\b${name}`).test(sql))
    return `create schema case_${index};\n${inCase(mentioned.map(([, table]) => table).join('\n'), index)}`
  })
  return [slow(''), ...filled, slow('perform pg_sleep(0.002);'), 'analyze'].join('\n')
}
