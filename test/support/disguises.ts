/** Encodings in which a server may return a text that it received or issued. */
export const disguises: Record<string, (secret: string) => string> = {
  raw: secret => secret,
  'in Base64': secret => base64(secret),
  'in Base64 after one byte': secret => base64(`#${secret}?`),
  'in Base64 after two bytes': secret => base64(`##${secret}??`),
  'in Base64 for URLs': secret => Buffer.from(secret).toString('base64url'),
  'in Base64 for URLs after one byte': secret => Buffer.from(`#${secret}?`).toString('base64url'),
  'in Base64 for URLs after two bytes': secret => Buffer.from(`##${secret}??`).toString('base64url'),
  'in Basic authentication': secret => `Basic ${base64(`public-test:${secret}`)}`,
  'in Basic authentication of the user': secret => `Basic ${base64(`tsdbadmin:${secret}`)}`,
  'in hexadecimal': secret => Buffer.from(secret).toString('hex'),
  'in hexadecimal capitals': secret => Buffer.from(secret).toString('hex').toUpperCase(),
  'in a URL': encodeURIComponent,
  'in a URL with small digits': secret =>
    encodeURIComponent(secret).replace(/%../g, code => code.toLowerCase()),
  'in a strict URL': strictly,
  'in a strict URL with small digits': secret => strictly(secret).replace(/%../g, code => code.toLowerCase()),
  'in the userinfo of a URL': secret =>
    Object.assign(new URL('https://tsdbadmin@h/'), { password: secret }).href,
  'in a form': secret => new URLSearchParams({ key: secret }).toString(),
  'in JSON': secret => JSON.stringify({ key: secret }),
  'in JSON within JSON': secret => JSON.stringify(JSON.stringify({ key: secret })),
  'with invisible marks in it': secret => [...secret].join('\u200b'),
  'with private characters in it': secret => [...secret].join('\ue000'),
  'with selectors of a look in it': secret => [...secret].join('\ufe0f'),
  'with marks of direction in it': secret => `\u202e${[...secret].join('\u2066')}\u202c`,
  'with a control character in it': secret => `${secret.slice(0, 5)}\u0001${secret.slice(5)}`,
  'with an escape sequence in it': secret => `${secret.slice(0, 5)}\u001b${secret.slice(5)}`,
  'in Base64 with invisible marks in it': secret => [...base64(secret)].join('\ufeff'),
  'as a command': secret => `\n::warning::${secret}\n##[error]${secret}`,
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

/** RFC 3986 section 2.3. */
function strictly(text: string): string {
  const percent = (char: string) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`
  return encodeURIComponent(text).replace(/[!'()*]/g, percent)
}

export function disguise(...secrets: string[]): string {
  return secrets.flatMap(secret => Object.values(disguises).map(write => write(secret))).join(' , ')
}
