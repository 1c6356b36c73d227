import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ApiServer, startEmulatorProcess, startPrism } from './api-server.ts'
import type { Figure } from './emulator-figures.ts'
import { measureLoad } from './request-load.ts'

const rounds = 15
const services = 300
const atOnce = 16

/**
 * The kinds of requests, how many of each one round sends to us and to Prism, and how many times as fast we must be.
 */
const kinds = [
  { name: 'get-service', requests: 2000, fewer: 300, ratio: 8 },
  { name: 'list-services', requests: 300, fewer: 60, ratio: 3 },
] as const

const keys = 'bench:bench-secret-key'
const authorization = `Basic ${btoa(keys)}`

/** Where a request goes, after the address of the server. */
type Paths = Record<(typeof kinds)[number]['name'], string>

/**
 * Measures how many requests a second the API answers, without databases. `prism`: the command of
 * `@stoplight/prism-cli`, whose mock is then measured alternately with the emulator, answering the very same records.
 */
export async function measureApi(prism: string | undefined): Promise<Figure[]> {
  const emulator = await startEmulatorProcess(keys)
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
  try {
    const paths = await fill(emulator, agent)
    if (prism === undefined) return await measure(emulator, undefined, paths)
    const folder = await mkdtemp(join(tmpdir(), 'bench-'))
    try {
      const peer = await startPrism(prism, await describeWithExamples(folder, emulator, agent, paths))
      return await measure(emulator, peer, paths).finally(() => peer.stop())
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  } finally {
    agent.destroy()
    await emulator.stop()
  }
}

async function fill(emulator: ApiServer, agent: Agent): Promise<Paths> {
  const { project } = JSON.parse(await send(emulator, agent, '/auth/info')).api_key
  const list = `/projects/${project.id}/services`
  let id = ''
  for (let count = 0; count < services; count++) {
    id = JSON.parse(await send(emulator, agent, list, '{"name": "shop"}')).service_id
  }
  return { 'get-service': `${list}/${id}`, 'list-services': list }
}

async function measure(emulator: ApiServer, peer: ApiServer | undefined, paths: Paths): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const { name, requests, fewer, ratio } of kinds) {
    const [own, other, times]: [number[], number[], number[]] = [[], [], []]
    const rateOf = ({ baseUrl }: ApiServer, count: number) =>
      measureLoad({ baseUrl, path: paths[name], authorization, requests: count, atOnce })
    // Alternating, so that other load on the machine affects both.
    for (let round = 0; round <= rounds; round++) {
      const [ours, theirs] = [await rateOf(emulator, requests), peer ? await rateOf(peer, fewer) : Number.NaN]
      // The first round warms both up.
      if (round === 0) continue
      own.push(ours)
      other.push(theirs)
      times.push(ours / theirs)
    }
    const what = `${name}, of ${services}`
    figures.push({ name: what, unit: 'requests/s', values: own, limit: undefined })
    if (peer === undefined) continue
    figures.push(
      { name: `the same, by Prism's mock`, unit: 'requests/s', values: other, limit: undefined },
      { name: `${name}, to Prism's mock`, unit: '×', values: times, limit: undefined, least: ratio },
    )
  }
  return figures
}

/** Our description, with the emulator's own answers as the examples that Prism answers with. */
async function describeWithExamples(
  folder: string,
  emulator: ApiServer,
  agent: Agent,
  paths: Paths,
): Promise<string> {
  const source = join(import.meta.dirname, '../../docs/openapi.json')
  const description = JSON.parse(await readFile(source, 'utf8'))
  // Prism serves the paths themselves, without a server's base path.
  for (const { name } of kinds) {
    const operations = Object.values<Record<string, { operationId?: string; responses: Answers }>>(
      description.paths,
    ).flatMap(item => Object.values(item))
    const content = operations.find(({ operationId }) => operationId === name)?.responses['200']?.content
    if (content === undefined) throw new Error(`${source} does not describe ${name}`)
    content['application/json'].example = JSON.parse(await send(emulator, agent, paths[name]))
  }
  const file = join(folder, 'openapi.json')
  await writeFile(file, JSON.stringify(description))
  return file
}

type Answers = Record<string, { content?: { 'application/json': { example?: unknown } } }>

/** Rejects an unexpected answer: errors are quick, and would look like speed. */
function send({ baseUrl }: ApiServer, agent: Agent, to: string, body?: string): Promise<string> {
  const headers = {
    authorization: `Basic ${btoa(keys)}`,
    ...(body && { 'content-type': 'application/json' }),
  }
  return new Promise((resolve, reject) => {
    const asked = request(baseUrl + to, { agent, method: body ? 'POST' : 'GET', headers }, answer => {
      const parts: Buffer[] = []
      answer.on('data', part => parts.push(part))
      answer.once('end', () => {
        const text = Buffer.concat(parts).toString()
        if ((answer.statusCode ?? 0) < 300) resolve(text)
        else reject(new Error(`${baseUrl}${to} answers ${answer.statusCode}: ${text.slice(0, 300)}`))
      })
    })
    asked.once('error', reject)
    asked.end(body)
  })
}
