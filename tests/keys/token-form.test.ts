// What a token looks like. Whoever searches texts for leaked ones goes by that, and no typing error is looked up.
import { describe, expect, it } from 'vitest'
import { isToken, mintToken, scopeSet } from '../../src/keys/token.ts'

/** The checksums were computed by another program: CRC-32 of all before them, in digits, capitals and small letters. */
const KEY = 'pkt_8aspm4G7VmSUfOoD6V1vrORcmn0iSHkpEby6vK111fY29WwmK'
const TOKEN = 'mct_8aspm4G7VmSUfOoD6V1vrORcmn0iSHkpEby6vK111fY4WGCiX'

describe('a token', () => {
  it('is its kind, 43 random characters and their checksum', () => {
    const [first, second] = [mintToken('pkt'), mintToken('pkt')]
    expect(first).toMatch(/^pkt_[0-9A-Za-z]{49}$/)
    expect(first.slice(0, 47)).not.toBe(second.slice(0, 47))
    expect([isToken('pkt', first), isToken('mct', mintToken('mct'))]).toEqual([true, true])
    expect([isToken('pkt', KEY), isToken('mct', TOKEN)]).toEqual([true, true])
    // A small checksum begins with zeros.
    expect(isToken('pkt', 'pkt_8aspm4G7VmSUfOoD6V1vrORcmn0iSHkpEby6vK111L00qvg4W')).toBe(true)
  })

  it.each([
    ['of another kind', TOKEN],
    ['with a letter mistyped', KEY.replace('G7V', 'G7W')],
    ['with two letters exchanged', KEY.replace('G7V', 'GV7')],
    ['with its checksum mistyped', KEY.replace(/K$/, 'L')],
    ['cut short', KEY.slice(0, -1)],
    ['one character too long, with its checksum', 'pkt_8aspm4G7VmSUfOoD6V1vrORcmn0iSHkpEby6vK111fYa1CMVFJ'],
    ['one too short, with its checksum', 'pkt_8aspm4G7VmSUfOoD6V1vrORcmn0iSHkpEby6vK111f4fUeKb'],
    ['with another character first', 'pkt_-aspm4G7VmSUfOoD6V1vrORcmn0iSHkpEby6vK111fY1kdnPo'],
    ['with another character last', 'pkt_8aspm4G7VmSUfOoD6V1vrORcmn0iSHkpEby6vK111f-0dgPPt'],
    ['missing', '']
  ])('is none of a key’s form %s', (_, text) => {
    expect(isToken('pkt', text)).toBe(false)
  })
})

it('scopes that many keys have are read once', () => {
  const scopes = scopeSet('["customers:read","plans:read"]')
  expect([...scopes]).toEqual(['customers:read', 'plans:read'])
  expect(scopeSet('["customers:read","plans:read"]')).toBe(scopes)
})
