// The forgot form answers before it looks for the account, so that its time can't tell whether there is one.
import { Hono } from 'hono'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Listener, listen } from '../../servers/listener.ts'
import type { PageEnv } from '../../servers/portal/env.ts'
import { addSignInPages } from '../../servers/portal/sign-in-pages.tsx'
import { uniqueEmail } from '../support/fixture.ts'
import { openRaw } from '../support/raw-socket.ts'
import { openTestService, type TestService } from '../support/service.ts'

describe('the forgot form', () => {
  let test: TestService
  let listener: Listener
  afterEach(async () => {
    vi.restoreAllMocks()
    await listener.drain()
    await test.close()
  })

  /** A site whose mails only note whether the answer had left by then. */
  const open = async () => {
    test = await openTestService('sqlite')
    const asked: { email: string; hasAnswered: boolean }[] = []
    const app = new Hono<PageEnv>()
    addSignInPages(app, test.service, {
      tenant: () => 'console',
      guest: async () => undefined,
      signIn: async () => '',
      describe: async () => ({}),
      async mailForgotten({ env: { outgoing } }, email) {
        asked.push({
          email,
          hasAnswered: outgoing?.writableFinished === true || outgoing?.destroyed === true
        })
      }
    })
    listener = await listen(app.fetch, { host: '127.0.0.1', port: 0 })
    return asked
  }

  it('looks for the account once the answer has left', async () => {
    const asked = await open()
    const email = uniqueEmail()
    const answer = await fetch(`${listener.url}/forgot`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email })
    })
    expect(await answer.json()).toEqual({ success: true })
    await vi.waitUntil(() => asked.length > 0)
    expect(asked).toEqual([{ email, hasAnswered: true }])
  })

  it('looks for it also when who asked has left, and a service that stops waits for that', async () => {
    const asked = await open()
    const { socket, send } = await openRaw(listener.url)
    const mayMail = vi.spyOn(test.service.signInLimits, 'mayMail')
    const body = JSON.stringify({ email: uniqueEmail() })
    send(
      `POST /forgot HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    )
    await vi.waitUntil(() => mayMail.mock.calls.length > 0)
    socket.destroy()
    await mayMail.mock.results[0]?.value
    await test.service.close()
    expect(asked).toHaveLength(1)
  })
})
