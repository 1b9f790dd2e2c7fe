// Small secrets at rest: AES-256-GCM under a key derived from SECRET_KEY.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const IV_BYTES = 12
const TAG_BYTES = 16

export interface Secrets {
  /** Seals `plain` for the row that `context` names; another row can't open it. */
  seal(plain: string, context: string): string
  /** @throws Error when the text was sealed under another key or for another context, or was altered. */
  unseal(sealed: string, context: string): string
  /** Tells two keys apart without telling anything of either. */
  fingerprint: string
}

export function createSecrets(secretKey: string): Secrets {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secretKey, 'mindgate', purpose, 32))
  const key = derive('seal')
  return {
    seal(plain, context) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
      cipher.setAAD(Buffer.from(context))
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
    },
    unseal(text, context) {
      const bytes = Buffer.from(text, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES
      })
      decipher.setAAD(Buffer.from(context))
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
      return Buffer.concat([
        decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)),
        decipher.final()
      ]).toString('utf8')
    },
    fingerprint: derive('fingerprint').subarray(0, 16).toString('hex')
  }
}
