import { describe, expect, it } from 'vitest'
import { checkNewPassword, hashPassword, verifyPassword } from '../../src/portal-access/passwords.ts'
import { processorTime } from '../support/processor-time.ts'
import { quickHash } from '../support/world.ts'

const EMAIL = 'Ada.Lovelace@example.com'

describe('a new password', () => {
  it.each([
    'short-one',
    'x'.repeat(201),
    'ada.lovelace@EXAMPLE.com',
    'passwordpassword',
    'Password1234!',
    'P@ssw0rd2024',
    'qwertyuiop',
    '1234567890',
    'abcdefghij',
    'aaaaaaaaaaaaaaa',
    'ababababababab',
    'Welcome2024!!'
  ])('is refused when it is guessed first: %s', (password) => {
    expect(() => checkNewPassword(password, EMAIL)).toThrow(
      expect.objectContaining({ code: 'invalid_input', field: 'password' })
    )
  })

  it.each([
    'correct horse battery',
    'ten-chars!',
    'пароль на ночь',
    'my password is long',
    'x1x1x1x1y2z',
    'Ada.Lovelace@example.com 1815'
  ])('may be anything else: %s', (password) => {
    expect(() => checkNewPassword(password, EMAIL)).not.toThrow()
  })
})

describe('a kept password', () => {
  it('is right however a keyboard composed its letters', async () => {
    const hash = await hashPassword('Zoë’s café')
    expect(await verifyPassword(hash, 'Zoe\u0308’s cafe\u0301')).toBe(true)
    expect(await verifyPassword(hash, 'Zoe’s cafe')).toBe(false)
  })

  it('takes about as long to refuse where there is none', async () => {
    const hash = await hashPassword('correct horse battery')
    const timed = async (given: string | null) => {
      const worked = processorTime()
      expect(await verifyPassword(given, 'wrong password')).toBe(false)
      return worked()
    }
    const best = { known: Number.POSITIVE_INFINITY, unknown: Number.POSITIVE_INFINITY }
    for (let i = 0; i < 5; i += 1) {
      best.known = Math.min(best.known, await timed(hash))
      best.unknown = Math.min(best.unknown, await timed(null))
    }
    expect(best.unknown / best.known).toBeGreaterThan(0.5)
    expect(best.unknown / best.known).toBeLessThan(2)
  })

  it('is refused where the line of those who wait is too long, and works again after', async () => {
    const hash = await quickHash('correct horse battery')
    const many = await Promise.allSettled(
      Array.from({ length: 150 }, () => verifyPassword(hash, 'correct horse battery'))
    )
    const refused = many.filter((one) => one.status === 'rejected')
    expect(refused.length).toBe(48)
    expect(refused[0]).toMatchObject({ reason: { code: 'rate_limited', retryAfterSeconds: 2 } })
    expect(many.filter((one) => one.status === 'fulfilled' && one.value)).toHaveLength(102)
    expect(await verifyPassword(hash, 'correct horse battery')).toBe(true)
  })
})
