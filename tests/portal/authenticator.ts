// A passkey in software: it says what a browser says of one, and what somebody says who has none.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** What a page asks for, as far as a passkey needs it. */
export interface Asked {
  challenge: string
  rpId?: string
  rp?: { id: string }
  excludeCredentials?: { id: string }[]
  allowCredentials?: { id: string }[]
}

/** What is said instead of the right thing. */
interface Changed {
  challenge?: string
  rpId?: string
  origin?: string
  type?: string
  counter?: number
  key?: KeyObject
}

export interface Authenticator {
  id: string
  /** The answer of `navigator.credentials.create`, as JSON. */
  create(asked: Asked, changed?: Changed): string
  /** The answer of `navigator.credentials.get`, as JSON. It counts each time. */
  show(asked: Asked, changed?: Changed): string
}

const USER_IS_PRESENT = 0x01
const HAS_CREDENTIAL = 0x40
const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest()

/** One whose browser is at that origin. */
export function makeAuthenticator(origin: string): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  let counter = 0
  const clientData = (asked: Asked, type: string, changed: Changed) =>
    Buffer.from(
      JSON.stringify({
        type: changed.type ?? type,
        challenge: changed.challenge ?? asked.challenge,
        origin: changed.origin ?? origin
      })
    )
  const authenticatorData = ({ rp, rpId = rp?.id ?? '' }: Asked, changed: Changed, credential?: Buffer) => {
    counter += 1
    const counted = Buffer.alloc(4)
    counted.writeUInt32BE(changed.counter ?? counter)
    const flags = Buffer.from([USER_IS_PRESENT | (credential ? HAS_CREDENTIAL : 0)])
    return Buffer.concat([sha256(changed.rpId ?? rpId), flags, counted, credential ?? Buffer.alloc(0)])
  }
  const answer = (response: Record<string, Buffer>) => {
    const inText = Object.entries(response).map(([name, bytes]) => [name, bytes.toString('base64url')])
    const named = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' }
    return JSON.stringify({ ...named, clientExtensionResults: {}, response: Object.fromEntries(inText) })
  }
  return {
    id: id.toString('base64url'),
    create(asked, changed = {}) {
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      const coordinate = (text: string) => Uint8Array.from(Buffer.from(text, 'base64url'))
      // COSE: an elliptic curve, ES256, P-256 and its point.
      const cose = isoCBOR.encode(
        new Map<number, number | Uint8Array>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, coordinate(x)],
          [-3, coordinate(y)]
        ])
      )
      const length = Buffer.from([0, id.length])
      const credential = Buffer.concat([Buffer.alloc(16), length, id, cose])
      const authData = Uint8Array.from(authenticatorData(asked, changed, credential))
      const attestation = new Map<string, string | Map<string, never> | Uint8Array>([
        ['fmt', 'none'],
        ['attStmt', new Map<string, never>()],
        ['authData', authData]
      ])
      return answer({
        clientDataJSON: clientData(asked, 'webauthn.create', changed),
        attestationObject: Buffer.from(isoCBOR.encode(attestation))
      })
    },
    show(asked, changed = {}) {
      const clientDataJSON = clientData(asked, 'webauthn.get', changed)
      const signed = authenticatorData(asked, changed)
      const signature = sign(
        'sha256',
        Buffer.concat([signed, sha256(clientDataJSON)]),
        changed.key ?? privateKey
      )
      return answer({ clientDataJSON, authenticatorData: signed, signature })
    }
  }
}

/** What a page with a passkey's button asks for. */
export function askedIn(text: string): Asked {
  const [, json] = /data-passkey="([^"]+)"/.exec(text) ?? []
  if (json === undefined) throw new Error(`No passkey is asked for: ${text.slice(0, 2_000)}`)
  return JSON.parse(json.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&'))
}
