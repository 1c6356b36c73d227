import type { ClientOptions } from '#client/client'

/** The client options beside its seam: keys, five attempts for each call, and a deadline of ten minutes. */
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
