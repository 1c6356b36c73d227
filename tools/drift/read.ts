/** Reads a description of the API from its published address or from a file. */
import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import type { Description } from './compare.ts'

async function fetchText(url: string): Promise<string> {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`status ${answer.status}`)
  return await answer.text()
}

/** Rejects with a message for readers: the source, the reason, and an alternative. */
export async function readDescription(url: string, file?: string): Promise<Description> {
  try {
    return parse(await (file === undefined ? fetchText(url) : readFile(file, 'utf8')))
  } catch (error) {
    const { message, cause } = error as Error
    const reason = cause instanceof Error ? cause.message : message
    const advice = 'Give the older and the newer description as files.'
    throw new Error(`cannot read ${file ?? url}: ${reason}. ${advice}`, { cause: error })
  }
}
