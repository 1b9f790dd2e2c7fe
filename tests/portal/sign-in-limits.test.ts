import { afterEach, describe, expect, it, vi } from 'vitest'
import { DAY_MS } from '../../src/clock.ts'
import { loadConfig } from '../../src/config.ts'
import { createSignInLimits } from '../../src/limits/sign-in-limits.ts'
import { databases } from '../support/databases.ts'
import { uniqueEmail } from '../support/fixture.ts'
import type { TestServer } from '../support/http.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { sweepAll } from '../support/sweep.ts'
import { mailedSecret, onboardOwner, PASSWORD, type SiteAnswer, siteClient } from './site-client.ts'
import { startSites } from './sites.ts'

describe.each(databases)('wrong passwords on %s', (kind) => {
  let server: TestServer | undefined
  afterEach(async () => {
    vi.useRealTimers()
    await server?.close()
  })

  const fixture = async (limits: Record<string, string>) => {
    const started = await startSites(
      kind,
      { TRUST_PROXY: '1', ...limits },
      { alone: 'Caddy believes no one else’s X-Forwarded-For' }
    )
    server = started
    const base = `/portal/${started.partner.slug}`
    const from = (address: string, browser = siteClient(started.url)) => {
      const headers = { 'x-forwarded-for': address }
      const post = (path: string, form: Record<string, string>): Promise<SiteAnswer> =>
        browser.post(base + path, { form, headers })
      return { post, signIn: (email: string, password: string) => post('/sign-in', { email, password }) }
    }
    /** Strangers, each from a network of its own, fail until the account is shut for all of them. */
    const shut = async (email: string) => {
      for (let i = 0; i < 11; i += 1) await from(`198.51.${i}.1`).signIn(email, 'wrong password')
      expect((await from('203.0.113.9').signIn(email, PASSWORD)).status).toBe(429)
    }
    const owner = () => onboardOwner(started.service, started.partner, uniqueEmail())
    return { started, base, from, shut, owner }
  }
  const statuses = (answers: SiteAnswer[]) => answers.map(({ status }) => status)
  const times = <T>(count: number, work: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, index) => work(index)))

  it('can’t outrun the limit by coming at once', async () => {
    const { from, owner } = await fixture({ SIGN_IN_LIMIT: '3' })
    const { email } = await owner()
    const answers = await times(12, () => from('198.51.100.7').signIn(email, 'wrong password'))
    expect(statuses(answers).filter((status) => status === 401)).toHaveLength(3)
    expect(statuses(answers).filter((status) => status === 429)).toHaveLength(9)
  })

  // The rest is the same whatever the database.
  if (kind !== 'sqlite') return

  it('lock an account for one network, whatever is tried then, and for no other', async () => {
    const { from, owner } = await fixture({ SIGN_IN_LIMIT: '3' })
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
    const { from } = await fixture({ SIGN_IN_LIMIT: '2' })
    const nobody = uniqueEmail()
    const { signIn } = from('198.51.100.7')
    const answers = [await signIn(nobody, 'x'), await signIn(nobody, 'x'), await signIn(nobody, 'x')]
    expect(statuses(answers)).toEqual([401, 401, 429])
  })

  it('are all that is counted: signing in rightly never locks', async () => {
    const { from, owner } = await fixture({ SIGN_IN_LIMIT: '2', SIGN_IN_ADDRESS_LIMIT: '3' })
    const { email } = await owner()
    const { signIn } = from('198.51.100.7')
    for (let i = 0; i < 6; i += 1) expect((await signIn(email, PASSWORD)).status).toBe(303)
  })

  it('lock the account everywhere after ten times as many from many networks', async () => {
    const { from, owner } = await fixture({ SIGN_IN_LIMIT: '1' })
    const { email } = await owner()
    for (let i = 0; i < 10; i += 1) {
      expect((await from(`198.51.${i}.1`).signIn(email, 'wrong password')).status).toBe(401)
    }
    expect((await from('203.0.113.9').signIn(email, PASSWORD)).status).toBe(429)
  })

  it.each([
    ['a network of 56 bits', 2, (nth: number) => `2001:db8:1:2${nth.toString(16).padStart(2, '0')}::1`],
    ['a network of 48 bits', 4, (nth: number) => `2001:db8:1:${nth.toString(16)}00::1`],
    ['24 bits of IPv4', 4, (nth: number) => `192.0.2.${nth}`]
  ])('lock the account for nobody else when all come from %s', async (_, tries, address) => {
    const { from, owner } = await fixture({ SIGN_IN_LIMIT: '1' })
    const { email } = await owner()
    const answers = await times(27, (nth) => from(address(nth)).signIn(email, 'wrong password'))
    expect(statuses(answers).filter((status) => status === 401)).toHaveLength(tries)
    expect((await from('203.0.113.9').signIn(email, PASSWORD)).status).toBe(303)
  })

  it('lock no network that the account signed in from before', async () => {
    const { from, shut, owner } = await fixture({ SIGN_IN_LIMIT: '1' })
    const { email } = await owner()
    const home = from('192.0.2.7')
    expect((await home.signIn(email, PASSWORD)).status).toBe(303)
    await shut(email)
    for (let nth = 10; nth < 15; nth += 1) await from(`192.0.2.${nth}`).signIn(email, 'wrong password')
    expect((await home.signIn(email, PASSWORD)).status).toBe(303)
    // Its own failures count as ever.
    expect((await home.signIn(email, 'wrong password')).status).toBe(429)
    expect((await home.signIn(email, PASSWORD)).status).toBe(429)
  })

  it('tell nobody from which networks an account signs in', async () => {
    const { from, shut, owner } = await fixture({ SIGN_IN_LIMIT: '1' })
    const { email } = await owner()
    const home = from('192.0.2.7')
    await home.signIn(email, PASSWORD)
    const nobody = uniqueEmail()
    await shut(email)
    for (let i = 0; i < 11; i += 1) await from(`198.51.${i}.1`).signIn(nobody, 'wrong password')
    const answers = [
      await home.signIn(email, 'wrong password'),
      await home.signIn(nobody, 'wrong password'),
      await from('192.0.3.7').signIn(email, 'wrong password'),
      await from('192.0.3.7').signIn(nobody, 'wrong password')
    ]
    const plain = answers.map(({ status, text }) => [
      status,
      text.replaceAll(email, '').replaceAll(nobody, '')
    ])
    expect(plain).toEqual(plain.map(() => [429, expect.stringContaining('Signing in failed too often')]))
  })

  it('keep no owner out who has a link of a mail: its network is known then', async () => {
    const { started, from, shut, owner } = await fixture({ SIGN_IN_LIMIT: '1' })
    const { email } = await owner()
    await shut(email)
    const away = from('192.0.2.7')
    await away.post('/forgot', { email })
    const { linkToken: token } = await vi.waitFor(() =>
      mailedSecret(started.service, email, 'password_forgotten')
    )
    expect((await away.post('/reset', { token, password: 'another horse battery' })).status).toBe(303)
    expect((await away.signIn(email, 'another horse battery')).status).toBe(303)
  })

  it('of strangers keep nobody who is signed in from changing the password', async () => {
    const { started, from, shut, owner } = await fixture({ SIGN_IN_LIMIT: '1' })
    const { email } = await owner()
    const browser = siteClient(started.url)
    await from('192.0.2.7', browser).signIn(email, PASSWORD)
    await shut(email)
    const away = from('192.0.3.7', browser)
    const change = { current: PASSWORD, password: 'another horse battery' }
    expect((await away.post('/account/password', change)).status).toBe(303)
  })

  it('of its neighbours lock no address that signed in before', async () => {
    const { from, owner } = await fixture({ SIGN_IN_LIMIT: '0', SIGN_IN_ADDRESS_LIMIT: '2' })
    const { email } = await owner()
    const home = from('192.0.2.7')
    expect((await home.signIn(email, PASSWORD)).status).toBe(303)
    const strangers = await times(18, (nth) => from(`192.0.2.${100 + nth}`).signIn(uniqueEmail(), 'x'))
    expect(statuses(strangers).filter((status) => status === 401)).toHaveLength(8)
    expect((await from('192.0.2.8').signIn(email, PASSWORD)).status).toBe(429)
    expect((await home.signIn(email, PASSWORD)).status).toBe(303)
  })

  it('lock an address out of every account', async () => {
    const { from, owner } = await fixture({ SIGN_IN_LIMIT: '0', SIGN_IN_ADDRESS_LIMIT: '4' })
    const { email } = await owner()
    const { signIn } = from('2001:db8:1:2:3::1')
    for (let i = 0; i < 4; i += 1) expect((await signIn(uniqueEmail(), 'x')).status).toBe(401)
    expect((await from('2001:db8:1:2:ffff::9').signIn(email, PASSWORD)).status).toBe(429)
    expect((await from('2001:db8:1:3::1').signIn(email, PASSWORD)).status).toBe(303)
  })

  it('at the console are limited as well', async () => {
    const { started } = await fixture({ SIGN_IN_LIMIT: '1' })
    const json = { email: uniqueEmail(), password: 'x' }
    const signIn = () => siteClient(started.url).post('/console/sign-in', { json })
    expect(statuses([await signIn(), await signIn()])).toEqual([401, 429])
  })

  it('don’t let anybody flood a mailbox with forgotten passwords, nor keep the owner from one', async () => {
    const { started, from, owner } = await fixture({})
    const { email } = await owner()
    const home = from('192.0.2.7')
    await home.signIn(email, PASSWORD)
    const asked = await times(6, (nth) => from(`198.51.${nth}.1`).post('/forgot', { email }))
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
    await home.post('/forgot', { email })
    await expect.poll(mails).toBe(4)
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

  it('know a network on while SECRET_KEY is exchanged, and under the new key once it was signed in from', async () => {
    test = await openTestService(kind)
    const { database, config } = test.service
    const target = { account: 'portal prt_1 ada@example.com', address: '198.51.100.7' }
    const limitsUnder = (secretKey: string, ...previousSecretKeys: string[]) =>
      createSignInLimits({ ...config, signInLimit: 1, secretKey, previousSecretKeys }, database)
    const shut = async (limits: ReturnType<typeof limitsUnder>) => {
      for (let i = 0; i < 10; i += 1) await limits.attempt({ ...target, address: `203.${i}.113.9` })
    }
    const signIn = async (limits: ReturnType<typeof limitsUnder>) => (await limits.attempt(target))(true)
    await signIn(limitsUnder('old'))
    await shut(limitsUnder('new'))
    await expect(signIn(limitsUnder('new'))).rejects.toMatchObject({ code: 'rate_limited' })
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(Date.now() + config.signInWindowSeconds * 1000)
    await shut(limitsUnder('new'))
    await signIn(limitsUnder('new', 'old'))
    vi.setSystemTime(Date.now() + config.signInWindowSeconds * 1000)
    await shut(limitsUnder('new'))
    await signIn(limitsUnder('new'))
  })

  it('know the last ten networks of an account, for 90 days', async () => {
    test = await openTestService(kind)
    const { database, config, signInLimits } = test.service
    const account = 'portal prt_1 ada@example.com'
    const rows = () => database.read.selectFrom('knownNetwork').selectAll().execute()
    const forgetOld = () => sweepAll({ database, config })
    vi.useFakeTimers({ toFake: ['Date'] })
    const pass = async (days: number) => {
      vi.setSystemTime(Date.now() + days * DAY_MS)
      await forgetOld()
    }
    const signIn = async (nth: number) => {
      const end = await signInLimits.attempt({ account, address: `192.0.2.${nth}` })
      await end(true)
      return rows()
    }
    const [first] = await signIn(0)
    for (let nth = 1; nth < 11; nth += 1) {
      await pass(1)
      await signIn(nth)
    }
    const known = await rows()
    expect(known).toHaveLength(10)
    expect(known).not.toContainEqual(first)
    expect(JSON.stringify(known)).not.toMatch(/ada@|192\.0/)
    await pass(81)
    expect(await rows()).toHaveLength(9)
    await signIn(5)
    await pass(89)
    expect(await rows()).toHaveLength(1)
    await pass(1)
    expect(await rows()).toEqual([])
  })
})
