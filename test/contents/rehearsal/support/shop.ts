/**
 * A database in which reading or writing all rows of a table takes at least 0.6 s on every machine. `slow` takes 2 ms for each of
 * 300 rows. A check, an index and a view call it, so scans and rewrites are slow.
 */
export const shop = `
  create function slow(anyelement) returns anyelement immutable language plpgsql
    as 'begin perform pg_sleep(0.002); return $1; end';
  create table customers (id int primary key, email text, phone text);
  insert into customers select n, 'someone@example.com', '555' from generate_series(1, 300) n;
  create table orders (
    id bigint primary key, customer_id int not null, status varchar(20) default 'new', total int, note text,
    placed timestamptz default now());
  insert into orders select n, n, 'new', n, repeat('thank you ', 100), now() from generate_series(1, 300) n;
  create index orders_status on orders (status);
  create index orders_slow on orders (slow(id));
  create table visits (id int, place text);
  insert into visits select n, 'here' from generate_series(1, 2000) n;
  create table coupons (code text, price numeric(10,2));
  insert into coupons select n::text, n + (n > 30)::int * 0.25 from generate_series(1, 40) n;
  select lo_from_bytea(0, 'a picture') from generate_series(1, 3);
  create table unused (id int);
  create materialized view daily as select slow(id) as id from customers;
  create unique index daily_id on daily (id);
  create table events (at date, what text) partition by range (at);
  create table events_2025 partition of events for values from ('2025-01-01') to ('2026-01-01');
  insert into events select '2025-03-01', 'x' from generate_series(1, 300);
  create table events_2026 (at date, what text);
  insert into events_2026 select '2026-03-01', 'x' from generate_series(1, 300);
  create index events_slow on events (slow(what));
  create schema old;
  create table old.archive as select n from generate_series(1, 300) n;
  create type mood as enum ('fine');
  analyze;`
