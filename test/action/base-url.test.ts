import { describe, expect, test } from 'vitest'
import { parseBaseUrl } from '../../src/action/base-url.ts'

describe('keys may be sent to', () => {
  test.each([
    ['https://api.example/public/api/v1', 'https://api.example/public/api/v1'],
    ['https://api.example/public/api/v1/', 'https://api.example/public/api/v1'],
    ['https://api.example/public/api/v1///', 'https://api.example/public/api/v1'],
    ['https://api.example:8443/v1', 'https://api.example:8443/v1'],
    ['https://api.example:443/v1', 'https://api.example/v1'],
    ['https://api.example', 'https://api.example'],
    ['HTTPS://API.EXAMPLE/V1', 'https://api.example/V1'],
    ['https://[2001:db8::1]/v1', 'https://[2001:db8::1]/v1'],
    ['http://127.0.0.1:8787/public/api/v1', 'http://127.0.0.1:8787/public/api/v1'],
    ['http://localhost:8787/v1', 'http://localhost:8787/v1'],
    ['http://[::1]:8787/v1', 'http://[::1]:8787/v1'],
  ])('%s', (text, url) => {
    expect(parseBaseUrl(text)).toEqual({ url })
  })
})

describe('keys are not sent to', () => {
  const example = ', like https://host/public/api/v1'
  const address = `an https address${example}`
  const secure = `an https address (http is only for this machine itself)${example}`
  const userInfo = `an address without user and password${example}`
  const query = `an address without query and fragment${example}`

  test.each([
    ['', address],
    ['api.example/public/api/v1', address],
    ['/public/api/v1', address],
    ['https://', address],
    ['https://a b/', address],
    ['http://api.example/v1', secure],
    ['http://localhost.api.example/v1', secure],
    ['http://127.0.0.1.api.example/v1', secure],
    ['http://0.0.0.0/v1', secure],
    ['http://10.0.0.1/v1', secure],
    ['ftp://localhost/v1', secure],
    ['file:///etc/passwd', secure],
    ['javascript:alert(1)', secure],
    ['https://user@api.example/v1', userInfo],
    ['https://user:password@api.example/v1', userInfo],
    ['https://:password@api.example/v1', userInfo],
    ['http://localhost@api.example/v1', secure],
    ['https://api.example/v1?', query],
    ['https://api.example/v1?a=b', query],
    ['https://api.example/v1#', query],
    ['https://api.example/v1#a', query],
    ['https://api.example/\tv1', address],
    ['https://api\n.example/v1', address],
  ])('%j', (text, expected) => {
    expect(parseBaseUrl(text)).toEqual({ expected })
  })
})
