import { afterEach, describe, expect, it, vi } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { createSignInLimits } from '../../src/limits/sign-in-limits.ts'
import { databases } from '../support/databases.ts'
import type { TestServer } from '../support/http.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { sweepAll } from '../support/sweep.ts'
import { uniqueEmail } from '../support/world.ts'
import { type DoorAnswer, doorClient, onboardOwner, PASSWORD } from './door-client.ts'
import { startDoors } from './stage.ts'

describe.each(databases)('wrong passwords on %s', (kind) => {
  let server: TestServer | undefined
  afterEach(async () => {
    vi.useRealTimers()
    await server?.close()
  })

  const stage = async (limits: Record<string, string>) => {
    const started = await startDoors(kind, { TRUST_PROXY: '1', ...limits })
    server = started
    const base = `/portal/${started.partner.slug}`
    const from = (address: string) => ({
      signIn: (email: string, password: string): Promise<DoorAnswer> =>
        doorClient(started.url).post(`${base}/sign-in`, {
          form: { email, password },
          headers: { 'x-forwarded-for': address }
        })
    })
    const owner = () => onboardOwner(started.service, started.partner, uniqueEmail())
    return { started, base, from, owner }
  }
  const statuses = (answers: DoorAnswer[]) => answers.map(({ status }) => status)
  const times = <T>(count: number, work: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, index) => work(index)))

  it('can’t outrun the limit by coming at once', async () => {
    const { from, owner } = await stage({ SIGN_IN_LIMIT: '3' })
    const { email } = await owner()
    const answers = await times(12, () => from('198.51.100.7').signIn(email, 'wrong password'))
    expect(statuses(answers).filter((status) => status === 401)).toHaveLength(3)
    expect(statuses(answers).filter((status) => status === 429)).toHaveLength(9)
  })

  // The rest is the same whatever the database.
  if (kind !== 'sqlite') return

  it('lock an account for one network, whatever is tried then, and for no other', async () => {
    const { from, owner } = await stage({ SIGN_IN_LIMIT: '3' })
    const { email } = await owner()
    const attacker = from('198.51.100.7')
    vi.useFakeTimers({ toFake: ['Date'] })
    for (let i = 0; i < 3; i += 1) expect((await attacker.signIn(email, 'wrong password')).status).toBe(401)
    const locked = await attacker.signIn(email.toUpperCase(), PASSWORD)
    expect(locked.status).toBe(429)
    expect(locked.text).toContain('Signing in failed too often. Try again in 15 minutes.')
    expect(locked.headers.get('retry-after')).toBe('900')
    // More than the account may fail from everywhere, all of it refused.
    for (let i = 0; i < 30; i += 1) expect((await attacker.signIn(email, 'wrong password')).status).toBe(429)
    expect((await from('203.0.113.9').signIn(email, PASSWORD)).status).toBe(303)
  })

  it('are counted for accounts that don’t exist as for those that do', async () => {
    const { from } = await stage({ SIGN_IN_LIMIT: '2' })
    const nobody = uniqueEmail()
    const { signIn } = from('198.51.100.7')
    const answers = [await signIn(nobody, 'x'), await signIn(nobody, 'x'), await signIn(nobody, 'x')]
    expect(statuses(answers)).toEqual([401, 401, 429])
  })

  it('are all that is counted: signing in rightly never locks', async () => {
    const { from, owner } = await stage({ SIGN_IN_LIMIT: '2', SIGN_IN_ADDRESS_LIMIT: '3' })
    const { email } = await owner()
    const { signIn } = from('198.51.100.7')
    for (let i = 0; i < 6; i += 1) expect((await signIn(email, PASSWORD)).status).toBe(303)
  })

  it('lock the account everywhere after ten times as many from many networks', async () => {
    const { from, owner } = await stage({ SIGN_IN_LIMIT: '1' })
    const { email } = await owner()
    for (let i = 0; i < 10; i += 1) {
      expect((await from(`198.51.100.${i}`).signIn(email, 'wrong password')).status).toBe(401)
    }
    expect((await from('203.0.113.9').signIn(email, PASSWORD)).status).toBe(429)
  })

  it('lock an address out of every account', async () => {
    const { from, owner } = await stage({ SIGN_IN_LIMIT: '0', SIGN_IN_ADDRESS_LIMIT: '4' })
    const { email } = await owner()
    const { signIn } = from('2001:db8:1:2:3::1')
    for (let i = 0; i < 4; i += 1) expect((await signIn(uniqueEmail(), 'x')).status).toBe(401)
    expect((await from('2001:db8:1:2:ffff::9').signIn(email, PASSWORD)).status).toBe(429)
    expect((await from('2001:db8:1:3::1').signIn(email, PASSWORD)).status).toBe(303)
  })

  it('at the console are limited as well', async () => {
    const { started } = await stage({ SIGN_IN_LIMIT: '1' })
    const json = { email: uniqueEmail(), password: 'x' }
    const signIn = () => doorClient(started.url).post('/console/sign-in', { json })
    expect(statuses([await signIn(), await signIn()])).toEqual([401, 429])
  })

  it('don’t let anybody flood a mailbox with forgotten passwords', async () => {
    const { started, base, owner } = await stage({})
    const { email } = await owner()
    const asked = await times(6, () => doorClient(started.url).post(`${base}/forgot`, { form: { email } }))
    expect(new Set(statuses(asked))).toEqual(new Set([200]))
    const mails = async () => {
      const rows = await started.service.database.read
        .selectFrom('mail')
        .where('recipient', '=', email)
        .where('template', '=', 'password_forgotten')
        .select('id')
        .execute()
      return rows.length
    }
    await expect.poll(mails).toBe(3)
  })
})

describe.each(databases)('the sign-in limits on %s', (kind) => {
  let test: TestService | undefined
  afterEach(async () => {
    vi.useRealTimers()
    await test?.close()
  })

  it('are one for all processes, end with their window, and leave the database then', async () => {
    test = await openTestService(kind)
    const { database } = test.service
    const config = { ...loadConfig(test.env), signInLimit: 2 }
    const [one, other] = [createSignInLimits(config, database), createSignInLimits(config, database)]
    const target = { account: 'portal prt_1 ada@example.com', address: '198.51.100.7' }
    const rows = () => database.read.selectFrom('signInFailure').selectAll().execute()
    const forgetEnded = () => sweepAll({ database, config })
    vi.useFakeTimers({ toFake: ['Date'] })
    await one.attempt(target)
    await other.attempt(target)
    await expect(one.attempt(target)).rejects.toMatchObject({ code: 'rate_limited' })
    const nextWindow = () => vi.setSystemTime(Date.now() + config.signInWindowSeconds * 1000)
    nextWindow()
    await expect(one.attempt(target)).resolves.toBeDefined()
    expect(JSON.stringify(await rows())).not.toContain('ada@')
    await forgetEnded()
    expect(await rows()).not.toEqual([])
    nextWindow()
    await forgetEnded()
    expect(await rows()).toEqual([])
  })
})
