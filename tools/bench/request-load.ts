import { once } from 'node:events'
import { connect } from 'node:net'

/** A request that is sent again and again. */
export interface Load {
  baseUrl: string
  /** After the address of the server. */
  path: string
  authorization: string
  requests: number
  /** The number of connections, each with one request at a time. */
  atOnce: number
}

/**
 * Sends the requests, and returns how many were answered in a second. Of each answer it only looks for the end, so that
 * it takes little of the processors, which it shares with the server.
 */
export async function measureLoad({ baseUrl, path, authorization, requests, atOnce }: Load): Promise<number> {
  const { hostname, port, host, pathname } = new URL(baseUrl + path)
  const head = [`GET ${pathname} HTTP/1.1`, `host: ${host}`, `authorization: ${authorization}`, '', '']
  const request = Buffer.from(head.join('\r\n'))
  let left = requests
  const lane = async () => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    try {
      await once(socket, 'connect')
      let answer = new Answer()
      await new Promise<void>((resolve, reject) => {
        const next = () => {
          if (left-- > 0) socket.write(request)
          else resolve()
        }
        socket.on('data', part => {
          if (!answer.isWhole(part)) return
          if (!answer.isGood) reject(new Error(`${baseUrl}${path} answers ${answer.head.slice(0, 300)}`))
          answer = new Answer()
          next()
        })
        socket.once('error', reject)
        socket.once('close', () => reject(new Error(`${baseUrl} closed the connection`)))
        next()
      })
    } finally {
      socket.destroy()
    }
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: atOnce }, lane))
  return (requests / (performance.now() - start)) * 1000
}

const endOfHead = '\r\n\r\n'
const endOfChunks = '0\r\n\r\n'

/** An answer as it comes in. */
class Answer {
  head = ''
  #missing: number | undefined
  #isChunked = false

  get isGood(): boolean {
    return this.head.startsWith('HTTP/1.1 200 ')
  }

  /** Whether it ends with this part. */
  isWhole(part: Buffer): boolean {
    if (this.#missing === undefined && !this.#isChunked) return this.#readHead(part)
    return this.#readBody(part)
  }

  #readHead(part: Buffer): boolean {
    const before = Buffer.byteLength(this.head, 'latin1')
    this.head += part.toString('latin1')
    const end = this.head.indexOf(endOfHead)
    if (end < 0) return false
    const body = part.subarray(end + endOfHead.length - before)
    this.head = this.head.slice(0, end)
    const [, length] = /^content-length: (\d+)$/im.exec(this.head) ?? []
    this.#isChunked = length === undefined
    this.#missing = Number(length ?? 0)
    return this.#readBody(body)
  }

  #readBody(part: Buffer): boolean {
    if (this.#isChunked) return part.subarray(-endOfChunks.length).toString('latin1') === endOfChunks
    this.#missing = (this.#missing ?? 0) - part.length
    return this.#missing <= 0
  }
}
