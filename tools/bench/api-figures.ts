import { Agent, request } from 'node:http'
import { type Emulator, startEmulator } from '../../emulator/http/server.ts'
import type { Figure } from './emulator-figures.ts'

const rounds = 5
const services = 300
/** Requests in one round, and how many of them at a time. */
const load = { one: 1000, list: 200, atOnce: 16 }

const keys = { publicKey: 'bench', secretKey: 'bench-secret-key' }

/** Measures how many requests a second the API answers, without databases. The caller runs in the same process. */
export async function measureApi(): Promise<Figure[]> {
  const emulator = await startEmulator({ ...keys, readyAfter: 0 })
  const agent = new Agent({ keepAlive: true, maxSockets: load.atOnce })
  try {
    const list = `/projects/${emulator.store.project.id}/services`
    let id = ''
    for (let count = 0; count < services; count++) {
      id = JSON.parse(await send(emulator, agent, 'POST', list, '{"name": "shop"}')).service_id
    }
    const measure = async (name: string, to: string, requests: number): Promise<Figure> => {
      const values: number[] = []
      for (let round = 0; round < rounds; round++)
        values.push(await rate(() => send(emulator, agent, 'GET', to), requests))
      return { name, unit: 'requests/s', values, limit: undefined }
    }
    return [
      await measure(`get-service, of ${services}`, `${list}/${id}`, load.one),
      await measure(`list-services, of ${services}`, list, load.list),
    ]
  } finally {
    agent.destroy()
    await emulator.stop()
  }
}

async function rate(ask: () => Promise<unknown>, requests: number): Promise<number> {
  const start = performance.now()
  let left = requests
  const lane = async () => {
    while (left-- > 0) await ask()
  }
  await Promise.all(Array.from({ length: load.atOnce }, lane))
  return (requests / (performance.now() - start)) * 1000
}

function send(emulator: Emulator, agent: Agent, method: string, to: string, body?: string): Promise<string> {
  const headers = {
    authorization: `Basic ${btoa(`${keys.publicKey}:${keys.secretKey}`)}`,
    ...(body && { 'content-type': 'application/json' }),
  }
  return new Promise((resolve, reject) => {
    const asked = request(emulator.baseUrl + to, { agent, method, headers }, answer => {
      let text = ''
      answer.setEncoding('utf8').on('data', part => {
        text += part
      })
      answer.once('end', () => resolve(text))
    })
    asked.once('error', reject)
    asked.end(body)
  })
}
