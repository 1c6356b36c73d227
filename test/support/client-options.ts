import type { ClientOptions } from '#client/client'

/** What a client needs beside its seam: keys, five tries for each call, and ten minutes of time. */
export function clientOptions(): Omit<ClientOptions, 'seam'> {
  const { signal } = new AbortController()
  return {
    baseUrl: 'https://api.example/v1',
    credentials: { publicKey: 'pub', secretKey: 'sec' },
    maxAttempts: 5,
    deadline: 600_000,
    signal,
    creatingSignal: signal,
    redact: text => text,
  }
}
