// People to whom several customers' memories are open, and people with something to choose before they are in.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emailKey } from '../../src/customers/email.ts'
import { onboard, PASSWORD, siteClient } from '../portal/site-client.ts'
import { startSites } from '../portal/sites.ts'
import { run, stringAt, unique, uniqueEmail } from '../support/fixture.ts'
import type { TestServer } from '../support/http.ts'
import { connectApp } from './apps.ts'
import { bareCall } from './bare-call.ts'
import { type Decision, makeOwner, openToApps } from './people.ts'

let server: TestServer
beforeAll(async () => {
  server = await startSites('sqlite', { CREDITS_INITIAL: '1000' })
})
afterAll(() => server.close())

const act = (name: string, input: Record<string, unknown>) =>
  run(server.service, server.partner.partnerId, name, input)

/** The owner of one customer who is in the team of another, as `role`; each memory holds a word of its own. */
const bothSides = async (role: 'admin' | 'member') => {
  const email = uniqueEmail()
  const own = { ...(await makeOwner(server, { email, companyName: unique('Own ') })), word: unique('own') }
  const other = { ...(await makeOwner(server, { companyName: unique('Other ') })), word: unique('other') }
  await join(other.customerId, email, role)
  for (const { customerId, word } of [own, other])
    await act('memory_remember', { customerId, content: `The code word is ${word}.` })
  const named = async ({ customerId, ...one }: typeof own) => ({
    ...one,
    name: stringAt(await act('customer_get', { customerId }), 'data', 'companyName')
  })
  return { decision: own.decision, own: await named(own), other: await named(other) }
}

async function join(customerId: string, email: string, role: 'admin' | 'member'): Promise<void> {
  const member = await act('team_member_add', { customerId, email, name: 'Ada', role })
  await server.service.database.transaction(async (tx) => {
    const { id: identityId } = await tx
      .selectFrom('identity')
      .where('emailKey', '=', emailKey(email))
      .select('id')
      .executeTakeFirstOrThrow()
    await tx
      .updateTable('teamMember')
      .set({ status: 'active', identityId })
      .where('id', '=', stringAt(member, 'data', 'id'))
      .execute()
  })
}

const connect = async (decision: Decision) => {
  const app = await connectApp(server.url, { gateway: '/api/mcp', decision })
  await app.close()
  return (tool: string, input: Record<string, unknown> = {}) =>
    bareCall(`${server.url}/api/mcp`, { token: app.token(), tool, input })
}
const recalled = async (decision: Decision) =>
  (await (await connect(decision))('internal_memory_recall')).text

describe('somebody with two customers', () => {
  it('lets an app into the memory that they choose, and no other', async () => {
    const { decision, own, other } = await bothSides('admin')
    const ofOwn = await recalled({ ...decision, membership: own.name })
    expect([ofOwn.includes(own.word), ofOwn.includes(other.word)]).toEqual([true, false])
    const ofOther = await recalled({ ...decision, membership: other.name })
    expect([ofOther.includes(own.word), ofOther.includes(other.word)]).toEqual([false, true])
  })

  it('lets it do no more than they may there themselves', async () => {
    const { decision, own, other } = await bothSides('member')
    const content = 'The dog is called Rex.'
    const atOwn = await connect({ ...decision, membership: own.name })
    expect((await atOwn('internal_memory_remember', { content })).status).toBe(200)
    const atOther = await connect({ ...decision, membership: other.name })
    expect((await atOther('internal_memory_recall')).status).toBe(200)
    // Not HTTP's 403, by which a client would ask them for what they haven't got.
    expect(await atOther('internal_memory_remember', { content })).toMatchObject({
      status: 200,
      code: 'missing_scope'
    })
  })

  it('isn’t asked whose where one of them alone is open to apps', async () => {
    const email = uniqueEmail()
    const { decision, customerId } = await makeOwner(server, { email })
    const other = await makeOwner(server, { companyName: 'Unlisted' })
    await act('customer_update', { customerId: other.customerId, enableApiAccess: false })
    await join(other.customerId, email, 'admin')
    const word = unique('word')
    await act('memory_remember', { customerId, content: `The code word is ${word}.` })
    expect(await recalled(decision)).toContain(word)
  })

  it('must say whose', async () => {
    const { decision } = await bothSides('admin')
    const browser = siteClient(server.url)
    const unnamed = connectApp(server.url, { gateway: '/api/mcp', decision, browser })
    await expect(unnamed).rejects.toThrow('Choose whose memory it is.')
  })
})

describe('somebody who has something to choose first', () => {
  it('comes back to the app’s question from choosing a password', async () => {
    const email = uniqueEmail()
    const { customerId, temporaryPassword } = await onboard(server.service, server.partner.partnerId, email)
    await openToApps(server, customerId)
    const call = await connect({
      email,
      password: temporaryPassword,
      newPassword: PASSWORD,
      portal: server.partner.slug
    })
    expect((await call('internal_memory_recall')).status).toBe(200)
  })

  it('comes back to it from choosing a portal', async () => {
    const { decision, own, other } = await bothSides('admin')
    const browser = siteClient(server.url)
    const seen: string[] = []
    const watched = {
      ...browser,
      get(path: string) {
        seen.push(path.replace(/[?].*/, '').replace(/\/connect\/.*/, '/connect'))
        return browser.get(path)
      }
    }
    const app = await connectApp(server.url, {
      gateway: '/api/mcp',
      decision: { ...decision, enters: other.name, membership: own.name },
      browser: watched
    })
    await app.close()
    const base = `/portal/${server.partner.slug}`
    expect(seen.slice(-5)).toEqual([
      `${base}/sign-in`,
      `${base}/connect`,
      `${base}/choose`,
      `${base}/connect`,
      expect.stringMatching(/^\/oauth\/authorize\//)
    ])
  })

  it('isn’t kept from an app by being signed in already', async () => {
    const { decision } = await makeOwner(server)
    const browser = siteClient(server.url)
    const { email, password } = decision
    await browser.post(`/portal/${server.partner.slug}/sign-in`, { form: { email, password } })
    const app = await connectApp(server.url, {
      gateway: '/api/mcp',
      decision: { ...decision, password: 'never asked for' },
      browser
    })
    await app.close()
    expect(app.token()).not.toBe('')
  })
})
