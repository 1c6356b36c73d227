/** Creates the certificate of the databases. */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** A server's private key and its certificate, both PEM. */
export interface Certificate {
  key: string
  certificate: string
}

function element(tag: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content)
  if (body.length < 0x80) return Buffer.concat([Buffer.of(tag, body.length), body])
  if (body.length < 0x100) return Buffer.concat([Buffer.of(tag, 0x81, body.length), body])
  return Buffer.concat([Buffer.of(tag, 0x82, body.length >> 8, body.length & 0xff), body])
}

function sequence(...content: Buffer[]): Buffer {
  return element(0x30, ...content)
}

const oid = {
  commonName: element(0x06, Buffer.from('550403', 'hex')), // 2.5.4.3
  subjectAltName: element(0x06, Buffer.from('551d11', 'hex')), // 2.5.29.17
  ecdsaWithSha256: element(0x06, Buffer.from('2a8648ce3d040302', 'hex')), // 1.2.840.10045.4.3.2
}
const ecdsaWithSha256 = sequence(oid.ecdsaWithSha256)

const day = 24 * 60 * 60 * 1000

function alternativeNames(): Buffer {
  return sequence(element(0x82, Buffer.from('localhost')), element(0x87, Buffer.of(127, 0, 0, 1)))
}

function set(...content: Buffer[]): Buffer {
  return element(0x31, ...content)
}

function utf8String(text: string): Buffer {
  return element(0x0c, Buffer.from(text))
}

/** `YYMMDDHHMMSSZ`: valid up to 2049. */
function utcTime(date: Date): Buffer {
  const digits = date.toISOString().replace(/[-:T]/g, '')
  return element(0x17, Buffer.from(`${digits.slice(2, 14)}Z`))
}

function certificateBody(publicKey: Buffer, now: Date): Buffer {
  const name = sequence(set(sequence(oid.commonName, utf8String('localhost'))))
  const serial = Buffer.concat([Buffer.of(0x01), randomBytes(15)])
  return sequence(
    element(0xa0, element(0x02, Buffer.of(2))), // version 3
    element(0x02, serial),
    ecdsaWithSha256,
    name,
    sequence(utcTime(new Date(now.getTime() - day)), utcTime(new Date(now.getTime() + 3650 * day))),
    name,
    publicKey,
    element(0xa3, sequence(sequence(oid.subjectAltName, element(0x04, alternativeNames())))),
  )
}

function bitString(content: Buffer): Buffer {
  return element(0x03, Buffer.of(0), content)
}

function wrap(base64: string): string {
  return base64.replace(/.{64}(?=.)/g, '$&\n')
}

/**
 * Creates a self-signed certificate for localhost (RFC 5280, section 4.1). node:crypto reads X.509 but does
 * not write it, and the few required fields are easily written as DER.
 */
export function createCertificate(now = new Date()): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const body = certificateBody(publicKey.export({ type: 'spki', format: 'der' }), now)
  const signature = sign('sha256', body, privateKey)
  const der = sequence(body, ecdsaWithSha256, bitString(signature))
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${wrap(der.toString('base64'))}\n-----END CERTIFICATE-----\n`,
  }
}
