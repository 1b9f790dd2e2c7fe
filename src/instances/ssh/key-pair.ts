// An instance's own key pair. Written by hand from node:crypto's key: ssh2's generator makes one in some 300 wrong.
import { generateKeyPairSync, randomBytes } from 'node:crypto'

const KEY_TYPE = 'ssh-ed25519'

/**
 * A new Ed25519 key pair in OpenSSH's formats, the private one not encrypted: it is for sealing.
 * @param comment a word that tells a server's owner whose key it is
 */
export function makeKeyPair(comment: string) {
  if (!/^[\x21-\x7e]+$/.test(comment)) throw new RangeError('A key’s comment is one word of ASCII')
  const { x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  if (!x || !d) throw new Error('No Ed25519 key pair came of it')
  const point = Buffer.from(x, 'base64url')
  const publicBlob = fields(KEY_TYPE, point)
  return {
    publicKey: `${KEY_TYPE} ${publicBlob.toString('base64')} ${comment}`,
    privateKey: armour(privateBlob(publicBlob, point, Buffer.from(d, 'base64url'), comment))
  }
}

/** PROTOCOL.key of OpenSSH: cipher, derivation and its options (none), then one public and one private key. */
function privateBlob(publicBlob: Buffer, point: Buffer, seed: Buffer, comment: string): Buffer {
  const check = randomBytes(4)
  const key = fields(KEY_TYPE, point, Buffer.concat([seed, point]), comment)
  const secret = Buffer.concat([check, check, key])
  const padding = Buffer.from(Array.from({ length: -secret.length & 7 }, (_, index) => index + 1))
  const keys = fields(publicBlob, Buffer.concat([secret, padding]))
  return Buffer.concat([Buffer.from('openssh-key-v1\0'), fields('none', 'none', ''), number(1), keys])
}

/** Each with its length before it. */
const fields = (...contents: readonly (string | Buffer)[]): Buffer =>
  Buffer.concat(
    contents.flatMap((content) => {
      const bytes = Buffer.from(content)
      return [number(bytes.length), bytes]
    })
  )

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function armour(blob: Buffer): string {
  const lines = blob.toString('base64').match(/.{1,70}/g) ?? []
  return ['-----BEGIN OPENSSH PRIVATE KEY-----', ...lines, '-----END OPENSSH PRIVATE KEY-----', ''].join('\n')
}
