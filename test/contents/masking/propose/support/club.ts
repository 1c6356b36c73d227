/** An example application with columns of every kind that the proposal distinguishes, and rows for them. */

/** A chess club: members, sessions, games, messages and payments. */
export const schema = `
  CREATE TYPE level AS ENUM ('beginner', 'expert');
  CREATE DOMAIN contact AS varchar(120);
  CREATE TABLE schema_migrations (version varchar PRIMARY KEY);
  CREATE TABLE boards (id bigint PRIMARY KEY, slug varchar(12) UNIQUE, name text, description text, manufacturer text, settings jsonb);
  CREATE TABLE members (id bigint PRIMARY KEY, username varchar(24) UNIQUE NOT NULL, email contact UNIQUE, full_name text, mobile text, born date,
    street text, city text, state varchar(20), zip varchar(10), skill level, status text DEFAULT 'active' CHECK (status IN ('active', 'left')),
    last_ip inet, known_ips inet[], home_lat double precision, home_lon double precision, backup_codes text[], password_hash text,
    avatar_url text, locale varchar(5), signature_png bytea, extra jsonb, remark text, search tsvector);
  CREATE TABLE sessions (id uuid PRIMARY KEY, member_id bigint REFERENCES members, key varchar(40), user_agent text, credential_id bytea UNIQUE);
  CREATE TABLE bans (address inet PRIMARY KEY, reason text);
  CREATE TABLE games (id bigint PRIMARY KEY, white varchar(24) REFERENCES members (username), black varchar(24) REFERENCES members (username),
    opening text, notation text, board_slug varchar(12) REFERENCES boards (slug), checksum char(32), subject_type varchar, result varchar(7));
  CREATE TABLE messages (id bigint PRIMARY KEY, author_id bigint REFERENCES members, title text NOT NULL, body text NOT NULL, kind text);
  CREATE INDEX ON messages (author_id) WHERE kind = 'public';
  CREATE TABLE payments (id bigint PRIMARY KEY, member_id bigint REFERENCES members, stripe_customer_id text, iban varchar(34) CHECK (length(iban) >= 15),
    provider text, payload jsonb NOT NULL, currency char(3));`

/** 60 rows for each table. Each original is unique. */
export const rows = `
  INSERT INTO schema_migrations VALUES ('20260101000000'), ('20260102000000');
  INSERT INTO boards SELECT n, 'board-' || n, 'Board ' || n, 'Made of wood number ' || n, (array['Acme', 'Globex'])[1 + n % 2], '{"limit": 5, "mode": "auto"}' FROM generate_series(1, 60) AS n;
  INSERT INTO members SELECT n, 'rookmaster' || n, 'ada.canary' || n || '@example.com', 'Ada Canary' || n, '+1 555 700 ' || 1000 + n, '1980-01-01'::date + n,
    n || ' Canary Street', 'Canaryville', (array['Ohio', 'Utah', 'Iowa'])[1 + n % 3], 90000 + n, 'expert', 'active', ('198.51.100.' || n)::inet,
    array['203.0.113.' || n]::inet[], 48 + n / 1000.0, 11 + n / 1000.0, array[substr(md5('a' || n), 1, 10), substr(md5('b' || n), 1, 10)], '$2a$12$' || md5(n::text),
    'https://canary.example.com/' || n || '/face.png', 'en', sha256(('png' || n)::bytea), jsonb_build_object('type', 'vip', 'email', 'canary.json' || n || '@example.com'),
    'Prefers to play canary gambit ' || n || ' on Sundays', to_tsvector('simple', 'canary words ' || n) FROM generate_series(1, 60) AS n;
  INSERT INTO sessions SELECT gen_random_uuid(), n, md5('session' || n) || 'canary', 'Mozilla/5.0 (Canary ' || n || ')', sha256(('key' || n)::bytea) FROM generate_series(1, 60) AS n;
  INSERT INTO bans SELECT ('198.51.100.' || n)::inet, 'Canary insulted player ' || n || ' again' FROM generate_series(1, 60) AS n;
  INSERT INTO games SELECT n, 'rookmaster' || n, 'rookmaster' || 61 - n, (array['Italian', 'Sicilian', 'French'])[1 + n % 3], 'e4 e5', 'board-' || n, md5('game' || n), 'Tournament', '1-0' FROM generate_series(1, 60) AS n;
  INSERT INTO messages SELECT n, n, 'Canary title ' || n, 'Dear friends, the canary sings for the ' || n || 'th time', 'public' FROM generate_series(1, 60) AS n;
  INSERT INTO payments SELECT n, n, 'cus_' || substr(md5('stripe' || n), 1, 14), 'DE' || 10000000000000000000 + n, 'stripe', jsonb_build_object('holder', 'Holder Canary' || n), 'EUR' FROM generate_series(1, 60) AS n;
  ANALYZE`
