-- a schema
create schema archive;
--> + schema archive

-- a schema removed
drop schema sales cascade;
--> - extension citext version 1.8 schema sales
--> - schema sales

-- a schema renamed
alter schema sales rename to shop;
--> ~ schema sales: renamed to shop

-- an extension
create extension hstore;
--> + extension hstore version 1.8 schema public

-- an extension moved
alter extension citext set schema public;
--> ~ extension citext: schema sales → public

-- a type of values
create type size as enum ('s', 'm');
--> + type size enum 's', 'm'

-- a value of a type
alter type mood add value 'fine' before 'happy';
--> ~ type mood: enum 'sad', 'happy' → 'sad', 'fine', 'happy'

-- a value renamed
alter type mood rename value 'sad' to 'blue';
--> ~ type mood: enum 'sad', 'happy' → 'blue', 'happy'

-- a type renamed
alter type mood rename to feeling;
--> ~ type mood: renamed to feeling

-- a type removed
drop type span;
--> - type span range of double precision, operator class float8_ops, multirange public.span_multirange

-- a composite type
create type point3 as (x float8, y float8);
--> + type point3 composite
--> +   attribute x double precision
--> +   attribute y double precision

-- an attribute added
alter type pair add attribute c date;
--> + attribute pair.c date

-- an attribute of another type
alter type pair alter attribute b type varchar(10);
--> ~ attribute pair.b: text → character varying(10)

-- a range type
create type days as range (subtype = date);
--> + type days range of date, operator class date_ops, multirange public.days_multirange

-- a domain
create domain email as text default 'none' check (value like '%@%');
--> + domain email text default 'none'::text
--> +   constraint email_check CHECK ((VALUE ~~ '%@%'::text))

-- a check of a domain
alter domain amount add constraint small check (value < 10);
--> + constraint small on amount CHECK ((VALUE < (10)::numeric))

-- a default of a domain
alter domain amount set default 1;
--> ~ domain amount: now default 1

-- not null of a domain
alter domain amount set not null;
--> ~ domain amount: now not null

-- a table
create table stock (id int primary key, amount numeric(10,2) not null default 0, what text unique);
--> + table stock
--> +   column id integer not null
--> +   column amount numeric(10,2) not null default 0
--> +   column what text
--> +   constraint stock_pkey PRIMARY KEY (id)
--> +   constraint stock_what_key UNIQUE (what)

-- a table removed
drop table parts;
--> - sequence parts_id_seq integer owned by parts.id
--> - table parts

-- a table renamed
alter table orders rename to purchases;
--> ~ table orders: renamed to purchases

-- a table moved
alter table orders set schema sales;
--> ~ table orders: moved to schema sales

-- a table unlogged
alter table parts set unlogged;
--> ~ sequence parts_id_seq: now unlogged
--> ~ table parts: now unlogged

-- options of a table
alter table orders set (fillfactor = 70, autovacuum_enabled = off);
--> ~ table orders: now with fillfactor=70, autovacuum_enabled=off

-- replica identity
alter table orders replica identity full;
--> ~ table orders: now replica identity full

-- replica identity by an index
alter table customers replica identity using index customers_pkey;
--> ~ constraint customers_pkey on customers: now replica identity

-- row level security
alter table orders enable row level security;
--> ~ table orders: now row level security

-- row level security forced
alter table orders force row level security;
--> ~ table orders: now row level security forced on the owner

-- inheritance
create table more (n int) inherits (parts);
--> + table more inherits parts
--> +   column n integer

-- a partition
create table events_2027 partition of events for values from ('2027-01-01') to ('2028-01-01');
--> + table events_2027 partition of events FOR VALUES FROM ('2027-01-01') TO ('2028-01-01')

-- a partition detached
alter table events detach partition events_2026;
--> ~ table events_2026: no longer partition of events FOR VALUES FROM ('2026-01-01') TO ('2027-01-01')

-- a column
alter table orders add total numeric not null default 1.5;
--> + column orders.total numeric not null default 1.5

-- a column of a partitioned table
alter table events add n int;
--> + column events.n integer

-- a column removed
alter table orders drop note cascade;
--> - column orders.note text
--> - index by_note on orders USING btree (note)
--> - policy own_rows on orders for select to public using (note IS NOT NULL)

-- a column renamed
alter table orders rename price to cost;
--> ~ column orders.price: renamed to cost
--> ~ view cheap_orders: definition
--> -         price
--> +         cost AS price
--> -       WHERE (price < 10);
--> +       WHERE (cost < 10);

-- a column of another type
alter table customers alter name type varchar(80);
--> ~ column customers.name: text → character varying(80)

-- not null
alter table orders alter note set not null;
--> ~ column orders.note: now not null

-- not null dropped
alter table customers alter name drop not null;
--> ~ column customers.name: no longer not null

-- not null renamed
alter table customers rename constraint customers_name_not_null to has_name;
--> ~ column customers.name: not null is called customers_name_not_null → has_name

-- not null not valid
alter table orders add constraint has_note not null note not valid;
--> ~ column orders.note: now not null not valid

-- a default
alter table orders alter note set default 'none';
--> ~ column orders.note: now default 'none'::text

-- a default changed
alter table orders alter price set default 1;
--> ~ column orders.price: default 0 → 1

-- a default dropped
alter table orders alter price drop default;
--> ~ column orders.price: no longer default 0

-- an identity
alter table orders alter id set generated always;
--> ~ column orders.id: generated by default as identity → always as identity

-- an identity's start
alter table orders alter id set start 1000;
--> ~ column orders.id: generated by default as identity → by default as identity start 1000

-- a generated column
alter table orders add twice int generated always as (price * 2) stored;
--> + column orders.twice integer generated always as (price * 2) stored

-- a virtual column
alter table orders add thrice int generated always as (price * 3) virtual;
--> + column orders.thrice integer generated always as (price * 3) virtual

-- storage
alter table orders alter note set storage external;
--> ~ column orders.note: now storage external

-- compression
alter table orders alter note set compression pglz;
--> ~ column orders.note: now compression pglz

-- statistics target
alter table orders alter note set statistics 500;
--> ~ column orders.note: now statistics target 500

-- options of a column
alter table orders alter note set (n_distinct = 10);
--> ~ column orders.note: now with n_distinct=10

-- primary key dropped
alter table customers drop constraint customers_pkey cascade;
--> - constraint customers_pkey on customers PRIMARY KEY (id)
--> - constraint orders_customer on orders FOREIGN KEY (customer) REFERENCES public.customers(id)

-- unique
alter table orders add constraint one_note unique (note, price);
--> + constraint one_note on orders UNIQUE (note, price)

-- a check
alter table orders add constraint dear check (price > 1);
--> + constraint dear on orders CHECK ((price > 1))

-- a check changed
alter table orders drop constraint cheap, add constraint cheap check (price < 2000);
--> ~ constraint cheap on orders: CHECK ((price < 1000)) → CHECK ((price < 2000))

-- a check not valid
alter table orders add constraint dear check (price > 1) not valid;
--> + constraint dear on orders CHECK ((price > 1)) NOT VALID

-- a check not enforced
alter table orders add constraint dear check (price > 1) not enforced;
--> + constraint dear on orders CHECK ((price > 1)) NOT ENFORCED

-- foreign key changed
alter table orders drop constraint orders_customer, add constraint orders_customer foreign key (customer) references customers on delete cascade;
--> ~ constraint orders_customer on orders: FOREIGN KEY (customer) REFERENCES public.customers(id) → FOREIGN KEY (customer) REFERENCES public.customers(id) ON DELETE CASCADE

-- foreign key deferrable
alter table orders alter constraint orders_customer deferrable initially deferred;
--> ~ constraint orders_customer on orders: FOREIGN KEY (customer) REFERENCES public.customers(id) → FOREIGN KEY (customer) REFERENCES public.customers(id) DEFERRABLE INITIALLY DEFERRED

-- constraint renamed
alter table orders rename constraint cheap to affordable;
--> ~ constraint cheap on orders: renamed to affordable

-- exclusion
alter table parts add constraint apart exclude (id with =);
--> + constraint apart on parts EXCLUDE USING btree (id WITH =)

-- an index
create unique index by_state on orders (state, lower(note)) where price > 5;
--> + index by_state on orders unique USING btree (state, lower(note)) WHERE (price > 5)

-- an index removed
drop index by_note;
--> - index by_note on orders USING btree (note)

-- an index renamed
alter index by_note rename to note_idx;
--> ~ index by_note on orders: renamed to note_idx

-- a recreated index
drop index by_note; create index by_note on orders (note desc);
--> ~ index by_note on orders: USING btree (note) → USING btree (note DESC)

-- an index invalid
update pg_index set indisvalid = false where indexrelid = 'by_note'::regclass;
--> ~ index by_note on orders: now invalid

-- options of an index
alter index by_note set (fillfactor = 50);
--> ~ index by_note on orders: USING btree (note) → USING btree (note) WITH (fillfactor='50')

-- clustered
cluster orders using by_note;
--> ~ index by_note on orders: now clustered

-- a sequence
create sequence more increment 10 cycle maxvalue 100;
--> + sequence more bigint with increment 10 maximum 100 cycle

-- a sequence changed
alter sequence numbers increment 5 cache 10;
--> ~ sequence numbers: now with increment 5 cache 10

-- a sequence owned
alter sequence numbers owned by orders.id;
--> ~ sequence numbers: now owned by orders.id

-- a view
create view names as select name from customers;
--> + view names
--> +     SELECT name
--> +        FROM public.customers;
--> +   column name text

-- a view changed
create or replace view cheap_orders as select id, price, note from orders where price < 20;
--> ~ view cheap_orders: definition
--> -         price
--> +         price,
--> +         note
--> -       WHERE (price < 10);
--> +       WHERE (price < 20);
--> + column cheap_orders.note text

-- options of a view
alter view cheap_orders set (security_barrier = true);
--> ~ view cheap_orders: now with security_barrier=true

-- a materialized view changed
drop materialized view sums; create materialized view sums as select customer, sum(price) as sum, count(*) as count from orders group by customer;
--> ~ materialized view sums: definition
--> -         sum(price) AS sum
--> +         sum(price) AS sum,
--> +         count(*) AS count
--> + column sums.count bigint

-- an index of a materialized view
create index on sums (customer);
--> + index sums_customer_idx on sums USING btree (customer)

-- a function
create function f(a int, b text default 'x') returns text language sql as 'select b';
--> + function f(a integer, b text)
--> +     CREATE OR REPLACE FUNCTION public.f(a integer, b text DEFAULT 'x'::text)
--> +      RETURNS text
--> +      LANGUAGE sql
--> +     AS $function$select b$function$

-- a function changed
create or replace function twice(n integer) returns integer language sql stable as 'select n + n';
--> ~ function twice(n integer): definition
--> -      IMMUTABLE
--> -     AS $function$select n * 2$function$
--> +      STABLE
--> +     AS $function$select n + n$function$

-- the body of a function
create or replace function audit() returns trigger language plpgsql as $$begin raise notice 'audited'; return new; end $$;
--> ~ function audit(): definition
--> -     AS $function$
--> -     begin
--> -       raise notice 'audit';
--> -       return new;
--> -     end $function$
--> +     AS $function$begin raise notice 'audited'; return new; end $function$

-- a function renamed
alter function twice rename to double;
--> ~ function twice(n integer): renamed to double(n integer)

-- a function with other arguments
drop function twice; create function twice(n bigint) returns bigint language sql as 'select n * 2';
--> + function twice(n bigint)
--> +     CREATE OR REPLACE FUNCTION public.twice(n bigint)
--> +      RETURNS bigint
--> +      LANGUAGE sql
--> +     AS $function$select n * 2$function$
--> - function twice(n integer)

-- a procedure removed
drop procedure tidy;
--> - procedure tidy()

-- an aggregate
create aggregate product(integer) (sfunc = int4mul, stype = integer);
--> + aggregate product(integer) returns integer state int4mul integer

-- an aggregate changed
drop aggregate total(integer); create aggregate total(integer) (sfunc = int4pl, stype = integer, initcond = '1');
--> ~ aggregate total(integer): initially '0' → '1'

-- an operator
create operator @@@ (leftarg = int, rightarg = int, function = int4mul, commutator = @@@);
--> + operator @@@ (integer, integer) function int4mul commutator public.@@@(integer,integer)

-- a cast
create cast (mood as integer) with inout;
--> + cast public.mood as integer with inout

-- an operator class
create operator class backwards for type int using btree as operator 1 >, function 1 btint4cmp(int, int);
--> + operator family backwards using btree operators 1 >(integer,integer) functions 1 btint4cmp(integer,integer)
--> + operator class backwards using btree for integer family backwards

-- a trigger
create trigger after_all after update on customers for each statement execute function audit();
--> + trigger after_all on customers AFTER UPDATE ON public.customers FOR EACH STATEMENT EXECUTE FUNCTION public.audit()

-- a trigger disabled
alter table orders disable trigger audited;
--> ~ trigger audited on orders: now fires never

-- a trigger always
alter table orders enable always trigger audited;
--> ~ trigger audited on orders: now fires always

-- a trigger changed
create or replace trigger audited before insert or update on orders for each row execute function audit();
--> ~ trigger audited on orders: BEFORE INSERT ON public.orders FOR EACH ROW EXECUTE FUNCTION public.audit() → BEFORE INSERT OR UPDATE ON public.orders FOR EACH ROW EXECUTE FUNCTION public.audit()

-- a trigger renamed
alter trigger audited on orders rename to logged;
--> ~ trigger audited on orders: renamed to logged

-- an event trigger disabled
alter event trigger watched disable;
--> ~ event trigger watched: now fires never

-- an event trigger removed
drop event trigger watched;
--> - event trigger watched on ddl_command_end execute public.watch

-- a rule changed
create or replace rule quiet as on delete to orders where old.price > 20 do instead nothing;
--> ~ rule quiet on orders: definition
--> -        WHERE (old.price > 10) DO INSTEAD NOTHING;
--> +        WHERE (old.price > 20) DO INSTEAD NOTHING;

-- a rule disabled
alter table orders disable rule quiet;
--> ~ rule quiet on orders: now fires never

-- a policy
create policy writers on orders as restrictive for insert to reader with check (price > 1);
--> + policy writers on orders as restrictive for insert to reader with check (price > 1)

-- a policy changed
alter policy own_rows on orders using (note = current_user);
--> ~ policy own_rows on orders: using (note IS NOT NULL) → (note = CURRENT_USER)

-- a comment
comment on column orders.price is 'in cents';
--> ~ column orders.price: now comment 'in cents'

-- a comment changed
comment on table orders is 'What was ordered';
--> ~ table orders: comment 'What was bought' → 'What was ordered'

-- a comment removed
comment on table orders is null;
--> ~ table orders: no longer comment 'What was bought'

-- a publication
create publication every for all tables;
--> + publication every all tables publish insert, update, delete, truncate

-- a publication changed
alter publication changes add table orders (id, price) where (price > 3);
--> ~ publication changes: tables public.customers → public.customers, public.orders (id, price) where (price > 3)

-- statistics removed
drop statistics related;
--> - statistics related on orders CREATE STATISTICS public.related ON customer, price FROM public.orders

-- statistics changed
alter statistics related set statistics 50;
--> ~ statistics related on orders: now target 50

-- a server's options
alter server archive options (set host 'new', set password 'secret-3');
--> ~ server archive: options host=old, password=(not shown) → host=new, password=(not shown)

-- a user mapping
create user mapping for reader server archive options (password 'secret-4');
--> + user mapping reader on archive

-- a foreign table
create foreign table newer (id int, t text) server archive options (name 'x');
--> + foreign table newer server archive options name=x
--> +   column id integer
--> +   column t text

-- options of a foreign table
alter foreign table old_orders options (set name 'bought');
--> ~ foreign table old_orders: options name=orders → name=bought

-- a collation
create collation other (provider = icu, locale = 'de', deterministic = false);
--> + collation other provider icu locale de not deterministic

-- a dictionary changed
alter text search dictionary words (accept = false);
--> ~ text search dictionary words: options accept = 'true' → accept = 'false'

-- a configuration changed
alter text search configuration found alter mapping for word with words;
--> ~ text search configuration found: mappings
--> -     word: simple,
--> +     word: public.words,

-- collation
alter table customers alter email type text collate "C";
--> ~ column customers.email: now collation "C"

-- the expression of a generated column
alter table parts alter twice set expression as (id * 3);
--> ~ column parts.twice: generated always as (id * 2) stored → (id * 3) stored

-- a generated column that is none any more
alter table parts alter twice drop expression;
--> ~ column parts.twice: no longer generated always as (id * 2) stored

-- a table with parts that swaps names with another
alter table parts rename to x; alter table customers rename to parts; alter table x rename to customers;
--> ~ table parts: renamed to customers
--> ~ table customers: renamed to parts

-- a partition attached
create table events_2028 (at date not null, what text); alter table events attach partition events_2028 for values from ('2028-01-01') to ('2029-01-01');
--> + table events_2028 partition of events FOR VALUES FROM ('2028-01-01') TO ('2029-01-01')

-- a language and an access method
create access method heap2 type table handler heap_tableam_handler;
--> + access method heap2 handler heap_tableam_handler
