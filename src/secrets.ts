// AES-256-GCM under a key derived from SECRET_KEY. Keys that it replaced only open.
import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Config } from './config.ts'

const IV_BYTES = 12
const TAG_BYTES = 16
/** A key's id is the beginning of its fingerprint. What it sealed begins with that and a dot. */
export const KEY_ID_LENGTH = 8

export interface Secrets {
  /** Seals `plain` under SECRET_KEY for the row that `context` names; another row can't open it. */
  seal(plain: string, context: string): string
  /** @throws Error when the text was sealed under a key that isn't here or for another context, or was altered. */
  unseal(sealed: string, context: string): string
  /** Of SECRET_KEY: tells it from other keys without telling anything of it. */
  fingerprint: string
  /** What everything sealed under SECRET_KEY begins with. */
  keyId: string
  /** Whether the key with that fingerprint or id is here. */
  hasKey(fingerprint: string): boolean
}

export function createSecrets(config: Pick<Config, 'secretKey' | 'previousSecretKeys'>): Secrets {
  const own = keyOf(config.secretKey)
  const keys = [own, ...config.previousSecretKeys.map(keyOf)]
  const keyId = own.fingerprint.slice(0, KEY_ID_LENGTH)
  return {
    seal(plain, context) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', own.key, iv, { authTagLength: TAG_BYTES })
      cipher.setAAD(Buffer.from(context))
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return `${keyId}.${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')}`
    },
    unseal(text, context) {
      // Texts from before there were ids can be under any of the keys.
      const [sealed = '', namedKey = ''] = text.split('.').reverse()
      let failure: unknown = new Error('It was sealed under a key that is not here.')
      for (const { key } of keys.filter(({ fingerprint }) => fingerprint.startsWith(namedKey))) {
        try {
          return open(Buffer.from(sealed, 'base64url'), key, context)
        } catch (error) {
          failure = error
        }
      }
      throw failure
    },
    fingerprint: own.fingerprint,
    keyId,
    hasKey: (named) => keys.some(({ fingerprint }) => fingerprint.startsWith(named))
  }
}

function keyOf(secretKey: string): { key: Buffer; fingerprint: string } {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secretKey, 'mindgate', purpose, 32))
  return { key: derive('seal'), fingerprint: derive('fingerprint').subarray(0, 16).toString('hex') }
}

function open(bytes: Buffer, key: Buffer, context: string): string {
  const iv = bytes.subarray(0, IV_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  const sealed = bytes.subarray(IV_BYTES + TAG_BYTES)
  return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8')
}

/** Whether two texts are the same, told in a time that says nothing of them. */
export const isSameSecret = (given: string, wanted: string): boolean =>
  timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', wanted, 'buffer'))
