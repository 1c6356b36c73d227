// The steps of the quickstart.

import { renderStep, type Step } from '../runner/workflow-job.ts'
import { findRemains, openSession, readEncryption, readRefusal, readTraces, type Traces } from './database.ts'
import { renderCount, type Screen } from './screen.ts'
import { Customers, changeShop, fillShop, readNewestOrders, type Stock, takeStock } from './shop.ts'
import type { World } from './world.ts'

type Session = Awaited<ReturnType<typeof openSession>>
type Outputs = Record<string, string>

/** A check in the story failed. */
export class ExpectationError extends Error {
  override name = 'ExpectationError'
}

function expect(isMet: boolean, problem: string): asserts isMet {
  if (!isMet) throw new ExpectationError(problem)
}

/** A fork's life, step by step. Every statement is checked. */
export class Story {
  readonly #world: World
  readonly #screen: Screen

  constructor(world: World, screen: Screen) {
    this.#world = world
    this.#screen = screen
  }

  /** Rejects with an error that names the chapter. */
  async tell(): Promise<void> {
    try {
      await this.#live()
    } catch (cause) {
      const { message } = cause as Error
      throw new ExpectationError(`in part ${this.#screen.headings}, ${message}`, { cause })
    }
  }

  async #live(): Promise<void> {
    const parent = await openSession(databaseUrl(await this.#createParent()))
    const traces = [await readTraces(parent)]
    const filled = await this.#fill(parent)
    const { outputs, taken } = await this.#forkInUse(parent)
    const fork = await openSession(databaseUrl(outputs))
    traces.push(await readTraces(fork))
    await this.#compare(parent, fork, filled, taken)
    await this.#change(parent, fork)
    await fork.end()
    await this.#deleteFork(parent, outputs)
    await parent.end()
    await this.#stop(traces)
  }

  async #createParent(): Promise<Outputs> {
    this.#screen.heading('Create a service with the action, and fill it')
    return this.#run('parent', 'create-service', { name: 'shop', wait_for_connection: 'true' })
  }

  async #fill(parent: Session): Promise<Stock> {
    await fillShop(parent)
    const stock = await takeStock(parent)
    const { customers, orders } = stock
    this.#screen.say(`Filled with SQL: ${renderCount(customers)} customers, ${renderCount(orders)} orders.`)
    return stock
  }

  /** Forks the parent while customers keep ordering in it; `taken` is how many orders they made. */
  async #forkInUse(parent: Session): Promise<{ outputs: Outputs; taken: number }> {
    this.#screen.heading('Fork it with the action, while orders keep coming in')
    const customers = new Customers(parent)
    const outputs = await this.#run('fork', 'fork-service', {
      service_id: id('parent'),
      name: 'shop-fork',
      fork_strategy: 'NOW',
      wait_for_connection: 'true',
    }).finally(() => customers.sendHome())
    this.#screen.say('Outputs:')
    const { log } = this.#world.job
    const shown = Object.entries(outputs).map(([name, value]) => [`  ${name}`, log.redact(value)])
    this.#screen.list(Object.fromEntries(shown))
    return { outputs, taken: await customers.sendHome() }
  }

  async #compare(parent: Session, fork: Session, filled: Stock, taken: number): Promise<void> {
    this.#screen.heading("Find the parent's rows in the fork")
    const encryption = await readEncryption(fork)
    expect(
      encryption !== undefined,
      'the session with the fork is not encrypted, although sslmode is require',
    )
    this.#screen.say(`Connected with sslmode=require: ${encryption}.`)
    const [inParent, inFork] = [await takeStock(parent), await takeStock(fork)]
    const lacks = inFork.orders < filled.orders
    expect(!lacks, `the fork has ${inFork.orders} orders, and the parent had ${filled.orders} before it`)
    const then = await takeStock(parent, inFork.lastOrder)
    expect(then.fingerprint === inFork.fingerprint, 'the rows of the fork are not those of the parent')
    this.#showStocks(inParent, inFork)
    this.#screen.say(
      `Row for row the fork holds what the parent held at one moment; the parent, in use all the`,
    )
    this.#screen.say(`while, has taken ${renderCount(taken)} orders since the step began.`)
    this.#screen.space()
    this.#screen.say('The newest orders in the fork:')
    const orders = await readNewestOrders(fork, 3)
    this.#screen.table([
      ['id', 'customer', 'product', 'amount'],
      ...orders.map(({ id, customer, product, amount }) => [String(id), customer, product, amount]),
    ])
  }

  async #change(parent: Session, fork: Session): Promise<void> {
    const before = await takeStock(parent)
    await changeShop(fork)
    const [inParent, inFork] = [await takeStock(parent), await takeStock(fork)]
    expect(inFork.orders < before.orders, 'a change that was made in the fork is missing there')
    expect(inParent.fingerprint === before.fingerprint, 'a change in the fork changed the parent')
    this.#screen.space()
    this.#screen.say('Delete every fifth customer, and add one, in the fork only:')
    this.#showStocks(inParent, inFork)
  }

  async #deleteFork(parent: Session, fork: Outputs): Promise<void> {
    this.#screen.heading('Delete the fork with the action')
    const outputs = await this.#run('delete', 'delete-service', { service_id: id('fork') })
    expect(outputs.deleted === 'true', 'the step does not say that the fork is deleted')
    const refusal = await readRefusal(databaseUrl(fork))
    expect(refusal !== undefined, 'the deleted fork still accepts connections')
    this.#screen.say(`${fork.host}:${fork.port} refuses connections (${refusal}).`)
    const names = await this.#listServices()
    expect(
      names.join() === 'shop',
      `the list of services holds "${names.join(', ')}" instead of "shop" alone`,
    )
    const { orders } = await takeStock(parent)
    this.#screen.say(`The list of services holds shop alone, with its ${renderCount(orders)} orders.`)
  }

  async #stop(traces: Traces[]): Promise<void> {
    this.#screen.heading('Stop')
    await this.#world.close()
    const remains = (await Promise.all(traces.map(findRemains))).flat()
    expect(remains.length === 0, `left behind: ${remains.join(', ')}`)
    this.#screen.say('Every database has ended, and its files are gone.')
  }

  /** The names of the services, from a hidden step. */
  async #listServices(): Promise<string[]> {
    const { result = '[]' } = await this.#world.job.run(this.#step('list', 'list-services'), () => {})
    const services = JSON.parse(result) as { name: string }[]
    return services.map(({ name }) => name)
  }

  #step(stepId: string, operation: string, inputs: Record<string, string> = {}): Step {
    const access = {
      base_url: this.#world.baseUrl,
      public_key: secret('DATABASE_PUBLIC_KEY'),
      secret_key: secret('DATABASE_SECRET_KEY'),
    }
    return { id: stepId, with: { operation, ...access, ...inputs } }
  }

  /** Shows the step, and its log as it comes. */
  async #run(stepId: string, operation: string, inputs: Record<string, string>): Promise<Outputs> {
    const step = this.#step(stepId, operation, inputs)
    this.#screen.code(renderStep(step))
    this.#screen.space()
    const outputs = await this.#world.job.run(step, line => this.#screen.log(line))
    this.#screen.space()
    return outputs
  }

  #showStocks(parent: Stock, fork: Stock): void {
    this.#screen.table([
      ['', 'customers', 'orders'],
      ['parent', parent.customers, parent.orders],
      ['fork', fork.customers, fork.orders],
    ])
  }
}

function databaseUrl({ database_url }: Outputs): string {
  expect(database_url !== undefined, 'the step gave no database_url')
  return database_url
}

const secret = (name: string) => `\${{ secrets.${name} }}`
const id = (step: string) => `\${{ steps.${step}.outputs.service_id }}`
