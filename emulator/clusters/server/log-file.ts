/** Reads the log of a server. */
import { open } from 'node:fs/promises'
import type { LogEntry } from '../../data-plane.ts'
import { ifExists } from '../disk/files.ts'

/** The beginning of an entry: `2026-11-21 01:40:16.906 UTC [4160] LOG:  text` (log_line_prefix `%m [%p] `). */
const entryStart = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d\.\d{3}) UTC \[\d+\] ([A-Z0-9]+): {2}(.*)$/
/** Lines that add to the entry before them (PostgreSQL docs, runtime-config-logging.html). */
const additions = new Set(['DETAIL', 'HINT', 'QUERY', 'CONTEXT', 'LOCATION', 'BACKTRACE', 'STATEMENT'])

/** Parses a log, oldest entry first. Lines before the first complete entry are omitted. */
export function parseLog(text: string): LogEntry[] {
  const entries: LogEntry[] = []
  for (const line of text.split('\n')) {
    const [, date, time, severity, message] = entryStart.exec(line) ?? []
    const last = entries.at(-1)
    if (severity === undefined || message === undefined) {
      // PostgreSQL puts a tab before the further lines of a message.
      if (last && line) last.message += `\n${line.replace(/^\t/, '')}`
    } else if (last && additions.has(severity)) {
      last.message += `\n${severity}: ${message}`
    } else {
      entries.push({ timestamp: new Date(`${date}T${time}Z`), severity, message })
    }
  }
  return entries
}

const maxBytes = 1024 * 1024
const maxEntries = 2_000

/** Reads the end of a server's log, newest entry first. An absent file is an empty log. */
export async function readLogFile(file: string): Promise<LogEntry[]> {
  const log = await ifExists(open(file))
  if (!log) return []
  try {
    const { size } = await log.stat()
    const start = Math.max(0, size - maxBytes)
    const { buffer, bytesRead } = await log.read({ position: start, buffer: Buffer.alloc(size - start) })
    return parseLog(buffer.toString('utf8', 0, bytesRead))
      .slice(-maxEntries)
      .reverse()
  } finally {
    await log.close()
  }
}
