import { describe, expect, it } from 'vitest'
import { secretKeys } from '../../src/config-values.ts'
import { createSecrets } from '../../src/secrets.ts'
import { NEW_KEY, OLD_KEY } from './sealed-rows.ts'

const secretsOf = (secretKey: string, ...previousSecretKeys: string[]) =>
  createSecrets({ secretKey, previousSecretKeys })

describe('what is sealed', () => {
  const [old, replacing, without] = [secretsOf(OLD_KEY), secretsOf(NEW_KEY, OLD_KEY), secretsOf(NEW_KEY)]

  it('begins with the id of SECRET_KEY, which tells nothing of it', () => {
    expect(old.seal('plain', 'row')).toMatch(/^[0-9a-f]{8}\.[\w-]{43,}$/)
    expect(replacing.seal('plain', 'row').startsWith(`${without.keyId}.`)).toBe(true)
    expect(replacing.keyId).not.toBe(old.keyId)
  })

  it('is opened by a key that was replaced, and by no other', () => {
    const sealed = old.seal('plain', 'row')
    expect(replacing.unseal(sealed, 'row')).toBe('plain')
    expect(() => without.unseal(sealed, 'row')).toThrow('a key that is not here')
    expect(() => replacing.unseal(sealed, 'another row')).toThrow()
  })

  it('is opened by each of the keys if it is from before there were ids', () => {
    const [ofOld = '', ofNew = ''] = [old, without].map((one) => one.seal('plain', 'row').slice(9))
    expect([replacing.unseal(ofOld, 'row'), replacing.unseal(ofNew, 'row')]).toEqual(['plain', 'plain'])
    expect(() => without.unseal(ofOld, 'row')).toThrow()
  })

  it.each(['', '.', '..', 'AAAA', 'a.b.c', `${secretsOf(OLD_KEY).keyId}.`, '\n.\n', '.AAAA'])(
    'is not %j',
    (text) => {
      expect(() => replacing.unseal(text, 'row')).toThrow()
    }
  )
})

it.each([
  ['', []],
  [undefined, []],
  [OLD_KEY, [OLD_KEY]],
  [`${OLD_KEY}, ${NEW_KEY}`, [OLD_KEY, NEW_KEY]],
  [`a comma, ${OLD_KEY}`, [`a comma, ${OLD_KEY}`]]
])('keys in %j', (value, keys) => {
  expect(secretKeys.parse(value)).toEqual(keys)
})
