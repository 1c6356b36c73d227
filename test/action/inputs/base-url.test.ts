/** Tests the addresses to which keys may be sent. */
import { describe, expect, test } from 'vitest'
import { findConsole, parseBaseUrl } from '#action/inputs/base-url'

describe('keys are sent to', () => {
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
    // Other spellings of this machine's address: the action connects to the address that it checked.
    ['http://[0:0:0:0:0:0:0:1]/v1', 'http://[::1]/v1'],
    ['http://2130706433/v1', 'http://127.0.0.1/v1'],
    ['http://0x7f000001/v1', 'http://127.0.0.1/v1'],
    ['http://0177.0.0.1/v1', 'http://127.0.0.1/v1'],
    ['http://127.1/v1', 'http://127.0.0.1/v1'],
    ['http://①②⑦.0.0.1/v1', 'http://127.0.0.1/v1'],
    ['http://LOCALHOST/v1', 'http://localhost/v1'],
    ['https://bücher.example/v1', 'https://xn--bcher-kva.example/v1'],
    ['https://api。example/v1', 'https://api.example/v1'],
    ['https://api.example/a/../v1', 'https://api.example/v1'],
    ['https://api.example/%2e%2e/v1', 'https://api.example/v1'],
    ['https://api.example/v1%0d%0ahost:evil', 'https://api.example/v1%0d%0ahost:evil'],
    ['https://api.example/@other/v1', 'https://api.example/@other/v1'],
  ])('%s', (text, url) => {
    expect(parseBaseUrl(text)).toEqual({ value: url })
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
    ['http://127.0.0.1.evil.example', secure],
    ['http://127.0.0.2/v1', secure],
    ['http://2130706434/v1', secure],
    ['http://[::]/v1', secure],
    ['http://[::ffff:127.0.0.1]/v1', secure],
    ['http://localhost./v1', secure],
    ['http://localhost@evil', secure],
    ['http://127.0.0.1:80@evil.example', secure],
    ['http://localhost%2eevil/v1', secure],
    ['http://localhost%00.evil/v1', address],
    ['http://[::1%25lo]/v1', address],
    ['ftp://localhost/v1', secure],
    ['ws://localhost/v1', secure],
    ['blob:https://api.example/v1', secure],
    ['file:///etc/passwd', secure],
    ['javascript:alert(1)', secure],
    ['https://user@api.example/v1', userInfo],
    ['https://user:password@api.example/v1', userInfo],
    ['https://:password@api.example/v1', userInfo],
    ['http://localhost@api.example/v1', secure],
    ['http://api.example@localhost/v1', userInfo],
    ['https://@api.example/v1', userInfo],
    ['https://:@api.example/v1', userInfo],
    ['https:@api.example/v1', userInfo],
    ['https://api.example%40evil.example/v1', address],
    ['https://api.example\\@evil.example/v1', address],
    ['https:\\\\api.example\\v1', address],
    ['https://api.example\\.evil.example/v1', address],
    ['https://api.example/v1?', query],
    ['https://api.example/v1?a=b', query],
    ['https://api.example/v1#', query],
    ['https://api.example/v1#a', query],
    ['https://api.example/\tv1', address],
    ['https://api\n.example/v1', address],
    ['\u00a0https://api.example/v1', address],
    ['https://api.ex\u00adample/v1', address],
    ['https://api.ex\u200bample/v1', address],
    ['https://api.example\u202e/v1', address],
    ['https://api.example:99999/v1', address],
    ['https://api.example:1:2/v1', address],
  ])('%j', (text, expected) => {
    expect(parseBaseUrl(text)).toEqual({ expected })
  })
})

test.each([
  [
    'https://console.cloud.tigerdata.com/public/api/v1',
    'https://console.cloud.tigerdata.com/dashboard/services',
  ],
  [
    'https://console.cloud.timescale.com/public/api/v1',
    'https://console.cloud.timescale.com/dashboard/services',
  ],
  ['https://console.cloud.tigerdata.com.example/public/api/v1', undefined],
  ['http://127.0.0.1:8080/public/api/v1', undefined],
])('the console of %s is known', (baseUrl, page) => {
  expect(findConsole(baseUrl)).toBe(page)
})
