/** Controls a browser for tests of the dashboard. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { eventually } from './eventually.ts'

const usual = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The browser that the variable CHROMIUM names, or one that is installed; undefined if there is none. */
export const chromium = process.env.CHROMIUM ?? usual.find(file => existsSync(file))

interface Message {
  id?: number
  method?: string
  params?: Record<string, unknown>
  result?: unknown
  error?: { message: string }
  sessionId?: string
}

/** A headless Chromium with one page, driven over its DevTools protocol. */
export class Browser {
  readonly #child: ChildProcess
  readonly #profile: string
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, (message: Message) => void>()
  #session: string | undefined
  #count = 0
  /** Addresses that the page asked for. */
  readonly requested: string[] = []
  /** Exceptions of the page, and requests that its policy refused. */
  readonly problems: string[] = []

  private constructor(child: ChildProcess, profile: string, socket: WebSocket) {
    this.#child = child
    this.#profile = profile
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => this.#take(JSON.parse(String(data))))
  }

  static async open(binary: string): Promise<Browser> {
    const profile = await mkdtemp(path.join(tmpdir(), 'browser-'))
    const flags = [
      ...['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
      // Disables requests for updates and extensions.
      ...['--no-first-run', '--disable-extensions', '--disable-component-update', '--disable-sync'],
      ...['--disable-background-networking', '--disable-default-apps'],
      ...['--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'],
    ]
    // It leaves a folder with the socket of its profile wherever temporary files go.
    const env = { ...process.env, TMPDIR: profile }
    const child = spawn(binary, flags, { stdio: 'ignore', detached: true, env })
    const portFile = path.join(profile, 'DevToolsActivePort')
    const [port, at] = await eventually(async () => {
      const lines = (await readFile(portFile, 'utf8')).split('\n')
      if (lines.length < 2) throw new Error('the browser has not written its address yet')
      return lines
    })
    const socket = new WebSocket(`ws://127.0.0.1:${port}${at}`)
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve)
      socket.addEventListener('error', reject)
    })
    const browser = new Browser(child, profile, socket)
    await browser.#openPage()
    return browser
  }

  async goTo(url: string): Promise<void> {
    await this.send('Page.navigate', { url })
  }

  /** The value of a JavaScript expression in the page. */
  async evaluate<Value>(expression: string): Promise<Value> {
    const { result, exceptionDetails } = await this.send<{
      result: { value: Value }
      exceptionDetails?: { exception?: { description?: string } }
    }>('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? expression)
    return result.value
  }

  /** The text of the first element that a selector names. */
  text(selector: string): Promise<string> {
    return this.evaluate(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? ''`)
  }

  async click(selector: string): Promise<void> {
    await this.evaluate(`document.querySelector(${JSON.stringify(selector)}).click()`)
  }

  /** Types into the focused element. */
  async type(text: string): Promise<void> {
    await this.send('Input.insertText', { text })
  }

  async press(key: 'Tab' | 'Enter' | 'Escape'): Promise<void> {
    const codes = { Tab: 9, Enter: 13, Escape: 27 }
    const named = { key, code: key, windowsVirtualKeyCode: codes[key] }
    const text = key === 'Enter' ? '\r' : undefined
    await this.send('Input.dispatchKeyEvent', { type: text ? 'keyDown' : 'rawKeyDown', ...named, text })
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...named })
  }

  async chooseTheme(theme: 'light' | 'dark'): Promise<void> {
    const features = [{ name: 'prefers-color-scheme', value: theme }]
    await this.send('Emulation.setEmulatedMedia', { features })
  }

  /** Makes the window as wide as that many pixels. */
  async resize(width: number): Promise<void> {
    const size = { width, height: 1400 }
    await this.send('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor: 1, mobile: false })
  }

  async close(): Promise<void> {
    const ended = new Promise(resolve => this.#child.once('exit', resolve))
    const { pid } = this.#child
    // The browser's own processes are of its group.
    if (pid !== undefined && this.#child.exitCode === null) process.kill(-pid, 'SIGKILL')
    await ended
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 5 })
  }

  async send<Result>(method: string, params: Record<string, unknown> = {}): Promise<Result> {
    this.#count += 1
    const id = this.#count
    const answer = new Promise<Message>(resolve => this.#waiting.set(id, resolve))
    this.#socket.send(JSON.stringify({ id, method, params, sessionId: this.#session }))
    const { result, error } = await answer
    if (error) throw new Error(`${method}: ${error.message}`)
    // The types of the protocol define the result of each method.
    return result as Result
  }

  async #openPage(): Promise<void> {
    const { targetId } = await this.send<{ targetId: string }>('Target.createTarget', { url: 'about:blank' })
    const attached = await this.send<{ sessionId: string }>('Target.attachToTarget', {
      targetId,
      flatten: true,
    })
    this.#session = attached.sessionId
    for (const domain of ['Page', 'Network', 'Runtime', 'Log', 'Accessibility']) {
      await this.send(`${domain}.enable`)
    }
    await this.resize(1280)
  }

  #take({ id, method, params, result, error }: Message): void {
    if (id !== undefined) {
      this.#waiting.get(id)?.({ result, ...(error && { error }) })
      this.#waiting.delete(id)
    }
    const text = JSON.stringify(params)
    if (method === 'Network.requestWillBeSent') {
      this.requested.push(String((params?.request as { url?: string })?.url))
    }
    if (method === 'Runtime.exceptionThrown') this.problems.push(text)
    if (method === 'Log.entryAdded' && /Content Security Policy/.test(text)) this.problems.push(text)
  }
}
