/** A server with endless answers. */
import { createServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { LocalServers } from './local-servers.ts'

export interface EndlessServer {
  url: string
  /** Resolves when the client closes the connection of the endless answer, with the number of bytes sent. */
  closed: Promise<number>
}

export interface Endless {
  head: string
  repeated: string | Buffer
}

const status = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'
const block = '[1,2,3],'.repeat(2048)
const chunk = `${block.length.toString(16)}\r\n${block}\r\n`

/** 10 MiB of blanks in some kilobytes: a small answer on the wire that is large once unpacked. */
const bomb = gzipSync(Buffer.alloc(10 * 1024 * 1024, ' '))

export const endlessAnswers: Record<string, Endless> = {
  'without a length': { head: `${status}\r\n`, repeated: block },
  'in chunks': { head: `${status}transfer-encoding: chunked\r\n\r\n`, repeated: chunk },
  'in chunks of one byte': {
    head: `${status}transfer-encoding: chunked\r\n\r\n`,
    repeated: '1\r\n1\r\n'.repeat(2048),
  },
  'with a length that it keeps': { head: `${status}content-length: 99999999999\r\n\r\n`, repeated: block },
  packed: { head: `${status}content-encoding: gzip\r\n\r\n`, repeated: bomb },
  'with a header that never ends': { head: `${status}x-long: `, repeated: 'a'.repeat(4096) },
  'with headers that never end': { head: status, repeated: 'x-more: a\r\n'.repeat(512) },
  'after announcements that never end': {
    head: '',
    repeated: 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(64),
  },
}

function sendForever(socket: Socket, repeated: string | Buffer): void {
  // As fast as the other side takes it.
  const more = () => {
    while (socket.writable && socket.write(repeated));
  }
  socket.on('drain', more)
  more()
}

/** Starts a server with the endless answer. Requests under /small get a small, complete answer. */
export async function startEndlessServer(servers: LocalServers, endless: Endless): Promise<EndlessServer> {
  let resolve: (bytes: number) => void
  const closed = new Promise<number>(done => {
    resolve = done
  })
  const server = createServer(socket => {
    socket.once('data', request => {
      if (request.toString().startsWith('GET /small')) {
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}')
        return
      }
      socket.once('close', () => resolve(socket.bytesWritten))
      socket.write(endless.head)
      sendForever(socket, endless.repeated)
    })
  })
  return { url: `http://127.0.0.1:${await servers.listen(server)}`, closed }
}
