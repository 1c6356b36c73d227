// The example data of the quickstart.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'

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

export interface Order {
  id: number
  customer: string
  product: string
  amount: string
}

/** Fills an empty database with the customers and orders of a shop, the same each time. */
export async function fillShop(client: Client): Promise<void> {
  await client.query(`
    CREATE TABLE customers (id integer PRIMARY KEY, name text NOT NULL, city text NOT NULL);
    CREATE TABLE orders (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      customer_id integer NOT NULL REFERENCES customers ON DELETE CASCADE,
      product text NOT NULL,
      amount numeric(8, 2) NOT NULL,
      ordered_at timestamptz NOT NULL DEFAULT clock_timestamp()
    );
    INSERT INTO customers
      SELECT n, (ARRAY['Ada', 'Bela', 'Chidi', 'Dana', 'Emil', 'Farah', 'Goro'])[n % 7 + 1] || ' ' ||
             (ARRAY['Abel', 'Brandt', 'Costa', 'Dvorak', 'Eze'])[n % 5 + 1],
             (ARRAY['Accra', 'Bergen', 'Cusco', 'Delft'])[n % 4 + 1]
      FROM generate_series(1, ${customers}) AS n;
    INSERT INTO orders (customer_id, product, amount, ordered_at)
      SELECT n * 7 % ${customers} + 1, (ARRAY['kettle', 'lamp', 'chair', 'radio'])[n % 4 + 1],
             (n * 37 % 9000 + 500) / 100.0, timestamptz '2026-01-01' + n * interval '1 hour'
      FROM generate_series(1, ${orders}) AS n;
  `)
}

/** Counts and fingerprints the rows; with `lastOrder`, only orders up to that id. */
export async function takeStock(client: Client, lastOrder = 2 ** 31 - 1): Promise<Stock> {
  const { rows } = await client.query<Stock>(
    `SELECT (SELECT count(*)::int FROM customers) AS customers,
            count(*)::int AS orders, coalesce(max(id), 0) AS "lastOrder",
            md5((SELECT string_agg(c::text, ',' ORDER BY c.id) FROM customers c) ||
                string_agg(o::text, ',' ORDER BY o.id)) AS fingerprint
     FROM orders o WHERE id <= $1`,
    [lastOrder],
  )
  const [stock] = rows
  if (!stock) throw new Error('PostgreSQL counted no rows.')
  return stock
}

/** The newest orders, newest first. */
export async function readNewestOrders(client: Client, limit: number): Promise<Order[]> {
  const { rows } = await client.query<Order>(
    `SELECT o.id, c.name AS customer, o.product, o.amount
     FROM orders o JOIN customers c ON c.id = o.customer_id ORDER BY o.id DESC LIMIT $1`,
    [limit],
  )
  return rows
}

/** Deletes a customer in five with all their orders, and adds one. */
export async function changeShop(client: Client): Promise<void> {
  await client.query('DELETE FROM customers WHERE id % 5 = 0')
  await client.query(`INSERT INTO customers VALUES (${customers + 1}, 'Only Here', 'Fork')`)
}

/** Simulates customers: an order every few milliseconds until `sendHome`. */
export class Customers {
  readonly #client: Client
  readonly #done: Promise<number>
  #isOpen = true

  constructor(client: Client) {
    this.#client = client
    this.#done = this.#order()
    // `sendHome` reports a failure. Before it is called the rejection has no handler, which must not end the process.
    this.#done.catch(() => {})
  }

  /** Resolves with the number of orders. Rejects if one failed. */
  sendHome(): Promise<number> {
    this.#isOpen = false
    return this.#done
  }

  async #order(): Promise<number> {
    let count = 0
    for (; this.#isOpen; count++) {
      await this.#client.query(
        `INSERT INTO orders (customer_id, product, amount) VALUES ($1, 'teapot', 24.90)`,
        [(count % customers) + 1],
      )
      await sleep(20)
    }
    return count
  }
}
