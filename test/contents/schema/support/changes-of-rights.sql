-- an owner
alter table orders owner to reader;
--> ~ table orders: owner postgres → reader

-- a grant
grant select, insert on orders to reader;
--> ~ table orders: now grants reader: INSERT, SELECT

-- a grant on a column
grant update (note) on orders to reader with grant option;
--> ~ column orders.note: now grants reader: UPDATE with grant option

-- a grant on a schema
grant usage on schema sales to reader;
--> ~ schema sales: now grants reader: USAGE

-- a grant on a function
revoke execute on function twice from public;
--> ~ function twice(n integer): no longer grants public: EXECUTE

-- default privileges
alter default privileges in schema sales grant select on tables to reader;
--> + default privileges of postgres on tables in sales grants reader: SELECT

-- roles
create role writer login; alter role reader createdb;
--> ~ role reader: now may create databases
--> + role writer login
