/** Tests the dashboard of the emulator. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Timeline } from '../../emulator/http/control/timeline.ts'
import type { Emulator } from '../../emulator/http/server.ts'
import { Browser, chromium } from './support/browser.ts'
import { eventually } from './support/eventually.ts'
import { authorization, callOverHttp } from './support/http-caller.ts'
import { findCut, leastContrast } from './support/page-checks.ts'
import { start, stopAll, testKeys } from './support/running.ts'
import { network, peer, replica, timing, VirtualStore } from './support/virtual-store.ts'

const secret = testKeys.secretKey
/** Longer than the lineage shows, each of two units of JavaScript's text. */
const emojis = '😀'.repeat(40)
let emulator: Emulator
let origin: string
let shop: { service_id: string; initial_password: string }

beforeAll(async () => {
  emulator = await start({ readyAfter: 0, changeAfter: 0, deleteAfter: 0, peeringAfter: 0 })
  origin = new URL(emulator.baseUrl).origin
  shop = (await callOverHttp(emulator, 'create-service', { name: 'shop <b>' })).body
  const { service_id } = shop
  await eventually(async () => {
    const { body } = await callOverHttp(emulator, 'get-service', { service_id })
    expect(body.status).toBe('READY')
  })
  for (const name of ['shop-fork', 'preview-pr-7-0a1b2c3d-abc123', emojis]) {
    await callOverHttp(emulator, 'fork-service', { service_id, name, fork_strategy: 'NOW' })
  }
  await callOverHttp(emulator, 'create-replica', { service_id, ...replica })
  const vpc = (await callOverHttp(emulator, 'create-vpc', network)).body
  await callOverHttp(emulator, 'create-peering', { vpc_id: vpc.id, ...peer })
})
afterAll(stopAll)

const page = (headers: Record<string, string> = { accept: 'text/html' }) => fetch(`${origin}/`, { headers })

test('only browsers get the page, which loads nothing from elsewhere', async () => {
  expect((await page({ accept: 'application/json' })).status).toBe(404)
  const answer = await page()
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none';/)
  const html = await answer.text()
  expect(html).not.toMatch(/(?:src|href)="(?!#|data:,)/)
  expect(html).not.toMatch(/url\(|@import/)
  for (const hidden of [secret, shop.initial_password, shop.service_id]) expect(html).not.toContain(hidden)
})

test('a service disappears at the end of its deletion, whenever it is read', () => {
  const service = new VirtualStore()
  const timeline = new Timeline()
  const { service_id } = service.call('create-service', { name: 'short' })
  service.pass(timing.readyAfter)
  service.call('delete-service', { service_id })
  timeline.collectLogs(service.store.state)
  const end = service.now + timing.deleteAfter
  service.pass(60_000)
  service.call('list-services', {})
  timeline.collectLogs(service.store.state)
  timeline.collectLogs(service.store.state)
  const gone = timeline.after(0).filter(event => event.kind === 'status' && /gone/.test(event.message))
  expect(gone).toEqual([
    expect.objectContaining({ name: 'short', message: 'service is gone', at: new Date(end).toISOString() }),
  ])
})

test('the overview contains no secret; a password requires the key', async () => {
  const overview = await (await fetch(`${origin}/emulator/overview`)).text()
  expect(overview).toContain(shop.service_id)
  expect(overview).not.toContain(shop.initial_password)
  const ask = (headers: Record<string, string>, id = shop.service_id) =>
    fetch(`${origin}/emulator/services/${id}/password`, { headers })
  expect((await ask({})).status).toBe(401)
  expect((await ask({ authorization }, 'nobody0000')).status).toBe(404)
  expect(await (await ask({ authorization })).json()).toEqual({ password: shop.initial_password })
  const changed = { service_id: shop.service_id, password: 'another-password' }
  await callOverHttp(emulator, 'update-password', changed)
  expect(await (await ask({ authorization })).json()).toEqual({ password: 'another-password' })
})

describe.skipIf(chromium === undefined)('in Chromium (skipped where there is none)', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await Browser.open(chromium ?? '')
    await browser.goTo(`${origin}/`)
    await shows('#services', 'shop-fork')
  })
  afterAll(() => browser?.close())

  const titles = ['Services', 'Previews', 'Read replica sets', 'Lineage', 'VPCs and peerings', 'Timeline']
  const shows = (selector: string, text: string) =>
    eventually(async () => expect(await browser.text(selector)).toContain(text))
  const isOpen = (id: string) =>
    expect.poll(() => browser.evaluate(`document.querySelector('${id}').open`)).toBe(true)
  const focused = () =>
    browser.evaluate<string>('document.activeElement.ariaLabel ?? document.activeElement.innerText')
  const source = () => browser.evaluate<string>('document.documentElement.outerHTML')

  test('shows services, previews, replica sets, networks, lineage and events', async () => {
    await shows('#services', 'shop <b>')
    await shows('#services', `${shop.service_id}.databases.invalid:5432/tsdb`)
    await shows('#previews', 'preview-pr-7-0a1b2c3d-abc123')
    expect(await browser.text('#services')).not.toContain('preview-pr-7')
    await shows('#replicas', 'reader')
    await shows('#vpcs', '10.0.0.0/16')
    await shows('#vpcs', 'vpc-1 of 123456789012, us-east-1')
    await shows('#timeline', 'create-vpc')
    await shows('#timeline', 'shop <b>: service is READY after create')
    const drawn = await browser.evaluate(`document.querySelector('#lineage svg').getAttribute('aria-label')`)
    expect(drawn).toContain('reader is a replica set of shop <b>; shop-fork is a fork of shop <b>')
    expect(await browser.evaluate(`document.querySelectorAll('#lineage path').length`)).toBe(4)
    expect(await browser.text('#lineage')).toContain(`${'😀'.repeat(17)}…`)
    const wide = `[...document.querySelectorAll('.scroll')].filter(e => e.scrollWidth > e.clientWidth).map(e => e.innerText)`
    expect(await browser.evaluate(wide)).toEqual([])
  })

  test('every control has its own name, and the keyboard reaches it', async () => {
    interface Node {
      role?: { value: string }
      name?: { value: string }
      ignored: boolean
    }
    const { nodes } = await browser.send<{ nodes: Node[] }>('Accessibility.getFullAXTree')
    const buttons = nodes.filter(node => !node.ignored && node.role?.value === 'button')
    const names = buttons.map(({ name }) => name?.value ?? '')
    expect(names).toContain('Delete shop-fork')
    expect(names).not.toContain('')
    expect(new Set(names).size).toBe(names.length)
    const reached = new Set<string>()
    for (let step = 0; step < names.length * 2 + 10; step++) {
      await browser.press('Tab')
      reached.add(await focused())
    }
    expect([...reached]).toEqual(expect.arrayContaining(names))
  })

  test('the key is requested once, by keyboard alone, and buttons work with it', async () => {
    expect(await source()).not.toContain('another-password')
    await browser.click('[aria-label="Fork shop-fork"]')
    await isOpen('#unlock')
    await browser.type('local')
    await browser.press('Tab')
    await browser.type('wrong')
    await browser.press('Enter')
    await shows('#unlock .problem', 'the API key is missing or wrong')
    await browser.evaluate(`document.querySelector('[name=secret]').select()`)
    await browser.type(secret)
    await browser.press('Enter')
    await shows('#lock-state', 'Unlocked')
    await browser.evaluate(`document.querySelector('[aria-label="Fork shop-fork"]').focus()`)
    await browser.press('Enter')
    await isOpen('#fork')
    await browser.press('Enter')
    await shows('#services', 'shop-fork-fork')
    await browser.click('[aria-label="Stop shop-fork"]')
    await shows('#services', 'PAUSED')
    // The service also forks paused services.
    expect(await browser.evaluate(`document.querySelector('[aria-label="Fork shop-fork"]').disabled`)).toBe(
      false,
    )
    await browser.click('[aria-label="Start shop-fork"]')
    await shows('#timeline', 'service is READY after start')
    await browser.click('[aria-label="Delete shop-fork-fork"]')
    await isOpen('#delete')
    await browser.click('#delete [type=submit]')
    await shows('#timeline', 'shop-fork-fork: service is gone')
  })

  test('a service is created by a button', async () => {
    await browser.click('#ask-create')
    await isOpen('#create')
    await browser.evaluate(`document.querySelector('#create [name=name]').select()`)
    await browser.type('made in the browser')
    await browser.press('Enter')
    await shows('#services', 'made in the browser')
    await shows('#timeline', 'made in the browser')
  })

  test('a password is in the page only from its request until it is hidden or locked', async () => {
    expect(await source()).not.toContain('another-password')
    await browser.click('[aria-label="Show the password of shop <b>"]')
    await shows('#services', 'tsdbadmin:another-password@')
    await browser.click('#lock')
    await eventually(async () => expect(await source()).not.toContain('another-password'))
    expect(await source()).not.toContain(secret)
  })

  test.each(['light', 'dark'] as const)('%s: every text contrasts with its background', async theme => {
    await browser.chooseTheme(theme)
    const worst = await browser.evaluate<{ ratio: number; text: string }>(`(${leastContrast})()`)
    expect(worst.ratio, worst.text).toBeGreaterThanOrEqual(4.5)
  })

  test.each([390, 768, 1280])('in a window of %i pixels nothing is cut off or unreachable', async width => {
    await browser.resize(width)
    expect(await browser.evaluate(`(${findCut})()`)).toEqual([])
  })

  test.each([390, 1280])(
    'in a window of %i pixels the keyboard reaches all scrolling parts, and only those',
    async width => {
      await browser.resize(width)
      const parts = `[...document.querySelectorAll('.scroll')].map(part => [
      part.scrollHeight > part.clientHeight || part.scrollWidth > part.clientWidth,
      [part.getAttribute('tabindex'), part.role, part.ariaLabel],
    ])`
      // The page refreshes each second.
      await eventually(async () => {
        const found = await browser.evaluate<[boolean, (string | null)[]][]>(parts)
        expect(found.map(([, given]) => given)).toEqual(
          found.map(([scrolls], at) =>
            scrolls ? ['0', 'region', `${titles[at]}: contents`] : [null, null, null],
          ),
        )
        expect(found.at(-1)?.[0], 'the timeline scrolls').toBe(true)
      })
      await browser.evaluate(`document.querySelector('#timeline .scroll').focus()`)
      expect(await focused()).toBe('Timeline: contents')
    },
  )

  test('the page sent no other requests, and violated none of its own rules', () => {
    const others = browser.requested.filter(
      url => !url.startsWith(`${origin}/`) && !/^(?:about|data):/.test(url),
    )
    expect(others).toEqual([])
    expect(browser.problems).toEqual([])
  })
})
