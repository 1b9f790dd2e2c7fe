import { describe, expect, it, vi } from 'vitest'
import { checkNewPassword, hashPassword, inTurn, verifyPassword } from '../../src/portal-access/passwords.ts'
import { quickHash } from '../support/fixture.ts'
import { processorTime } from '../support/processor-time.ts'

const EMAIL = 'Ada.Lovelace@example.com'
const PASSWORD = 'correct horse battery'
const from = (address: string, signal?: AbortSignal) => ({
  address,
  signal: signal && AbortSignal.any([signal])
})

describe('a new password', () => {
  it.each([
    'short-one',
    `${'yz!'.repeat(66)}ten`,
    'ada.lovelace@EXAMPLE.com',
    'passwordpassword',
    'Password1234!',
    'P@ssw0rd2024',
    'qwertyuiop',
    '1234567890',
    'abcdefghij',
    'aaaaaaaaaaaaaaa',
    'ababababababab',
    'Welcome2024!!',
    '2024!!Welcome'
  ])('is refused when it is guessed first: %s', (password) => {
    expect(() => checkNewPassword(password, EMAIL)).toThrow(
      expect.objectContaining({ code: 'invalid_input', field: 'password' })
    )
  })

  it.each([
    'correct horse battery',
    'ten-chars!',
    `${'yz!'.repeat(66)}at`,
    '1029384756',
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
    const hash = await hashPassword('Zoë’s café', 'partner')
    expect(await verifyPassword(hash, 'Zoe\u0308’s cafe\u0301', 'portal')).toBe(true)
    expect(await verifyPassword(hash, 'Zoe’s cafe', 'portal')).toBe(false)
  })

  it('takes about as long to refuse where there is none', async () => {
    const hash = await hashPassword(PASSWORD, 'partner')
    const timed = async (given: string | null) => {
      const worked = processorTime()
      expect(await verifyPassword(given, 'wrong password', 'portal')).toBe(false)
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
})

/** Verifies so often that some of it is refused, in turns of somebody somewhere, and counts what was answered. */
function flood(tenant: string, address: (nth: number) => string, signal?: AbortSignal) {
  const done = { answered: 0, refused: [] as unknown[] }
  const all = Array.from({ length: 150 }, (_, nth) =>
    inTurn(tenant, from(address(nth), signal), () => verifyPassword(null, 'x', tenant)).then(
      () => {
        done.answered += 1
      },
      (error: unknown) => done.refused.push(error)
    )
  )
  return { done, ended: Promise.all(all) }
}

describe('the places for hashing', () => {
  it('are refused to a tenant that has 100 waiting already', async () => {
    const hash = await quickHash(PASSWORD)
    const many = await Promise.allSettled(
      Array.from({ length: 150 }, () => verifyPassword(hash, PASSWORD, 'partner 1'))
    )
    const refused = many.filter((one) => one.status === 'rejected')
    expect(refused).toHaveLength(49)
    expect(refused[0]).toMatchObject({ reason: { code: 'rate_limited', retryAfterSeconds: 2 } })
    expect(many.filter((one) => one.status === 'fulfilled' && one.value)).toHaveLength(101)
    expect(await verifyPassword(hash, PASSWORD, 'partner 1')).toBe(true)
  })

  it('are one tenant’s in turn, so that a flood of one lets pass who signs in elsewhere', async () => {
    let answered = 0
    const many = Array.from({ length: 100 }, async () => {
      await verifyPassword(null, 'x', 'partner 1')
      answered += 1
    })
    const hash = await hashPassword(PASSWORD, 'partner 2')
    expect(await verifyPassword(hash, PASSWORD, 'portal 1')).toBe(true)
    expect(answered).toBeLessThan(20)
    await Promise.all(many)
  })
})

describe('the turns of visitors', () => {
  it.each([
    ['to another portal', 'portal 2', '192.0.2.1'],
    ['to the same portal from another network', 'portal 1', '198.51.100.1']
  ])('let pass who comes %s beside a flood', async (_, tenant, address) => {
    const gone = new AbortController()
    // 65,536 networks of 64 bits, of which each could have a turn, are one subscriber's.
    const { done, ended } = flood('portal 1', (nth) => `2001:db8:1:${nth}::1`, gone.signal)
    const signIn = async () => verifyPassword(await quickHash(PASSWORD), PASSWORD, tenant)
    expect(await inTurn(tenant, from(address), signIn)).toBe(true)
    expect(done.answered).toBeLessThan(20)
    gone.abort()
    await ended
  })

  it('refuse what is too much before it costs anything', async () => {
    const works = Array.from({ length: 150 }, () => vi.fn(async () => undefined))
    const turns = works.map((work) => inTurn('portal 1', from('192.0.2.1'), work))
    const outcomes = await Promise.allSettled(turns)
    const refused = outcomes.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(49)
    expect(refused[0]).toMatchObject({ reason: { code: 'rate_limited', retryAfterSeconds: 2 } })
    expect(works.filter((work) => work.mock.calls.length > 0)).toHaveLength(101)
  })

  it('are left by whoever has gone', async () => {
    const gone = new AbortController()
    const { done, ended } = flood('portal 1', () => '192.0.2.1', gone.signal)
    gone.abort(new Error('gone'))
    await ended
    expect(done.answered).toBeLessThan(3)
    expect(done.refused.at(-1)).toMatchObject({ message: 'gone' })
  })
})
