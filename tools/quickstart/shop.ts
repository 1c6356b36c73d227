/** The example data of the quickstart. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { renderCount } from '#base/bytes'

const customers = 500
const orders = 5000

/** The contents of the shop. */
export interface Stock {
  customers: number
  orders: number
  /** The highest id of an order. */
  lastOrder: number
  /** Differs whenever a row differs. */
  fingerprint: string
}

export const renderStock = (stock: Stock) =>
  `${renderCount(stock.customers)} customers, ${renderCount(stock.orders)} orders`

/** Opens a session with the `database_url` of a step's outputs. */
export async function openSession(databaseUrl: string): Promise<pg.Client> {
  // libpq's `require` encrypts and accepts any certificate; node-postgres alone would treat it as `verify-full`.
  const client = new pg.Client({ connectionString: `${databaseUrl}&uselibpqcompat=true` })
  // The database may be stopped before the session is closed.
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Fills an empty database with the customers and orders of a shop, the same each time. */
export async function fillShop(client: pg.Client): Promise<void> {
  await client.query(`
    CREATE TABLE customers (id integer PRIMARY KEY, name text NOT NULL);
    CREATE TABLE orders (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      customer_id integer NOT NULL REFERENCES customers ON DELETE CASCADE,
      product text NOT NULL,
      amount numeric(8, 2) NOT NULL
    );
    INSERT INTO customers SELECT n, 'Customer ' || n FROM generate_series(1, ${customers}) AS n;
    INSERT INTO orders (customer_id, product, amount)
      SELECT n * 7 % ${customers} + 1, (ARRAY['kettle', 'lamp', 'chair', 'radio'])[n % 4 + 1],
             (n * 37 % 9000 + 500) / 100.0
      FROM generate_series(1, ${orders}) AS n;
  `)
}

/** Counts and fingerprints the rows; with `lastOrder`, only orders up to that id. */
export async function takeStock(client: pg.Client, lastOrder = 2 ** 31 - 1): Promise<Stock> {
  const { rows } = await client.query<Stock>(
    `SELECT (SELECT count(*)::int FROM customers) AS customers,
            count(*)::int AS orders, coalesce(max(id), 0) AS "lastOrder",
            md5((SELECT string_agg(c::text, ',' ORDER BY c.id) FROM customers c) ||
                string_agg(o::text, ',' ORDER BY o.id)) AS fingerprint
     FROM orders o WHERE id <= $1`,
    [lastOrder],
  )
  return rows[0] as Stock
}

/** Deletes a customer in five with all their orders, and adds one. */
export async function changeShop(client: pg.Client): Promise<void> {
  await client.query(`DELETE FROM customers WHERE id % 5 = 0;
    INSERT INTO customers VALUES (${customers + 1}, 'Only in the fork')`)
}

/** Simulates customers: an order every few milliseconds, until the returned function stops them. It counts the orders. */
export function startOrders(client: pg.Client): () => Promise<number> {
  const insert = `INSERT INTO orders (customer_id, product, amount) VALUES ($1, 'teapot', 24.90)`
  let isOpen = true
  async function order(): Promise<number> {
    let count = 0
    for (; isOpen; count++) {
      await client.query(insert, [(count % customers) + 1])
      await sleep(20)
    }
    return count
  }
  const done = order()
  // Before the function is called, a rejection has no handler, which must not end the process.
  done.catch(() => {})
  return () => {
    isOpen = false
    return done
  }
}
