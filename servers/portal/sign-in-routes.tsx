// Signing in at a door and out of it, and forgotten passwords: the same in portal and console.

import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Context, Hono } from 'hono'
import { ServiceError } from '../../src/errors.ts'
import { endSession, type Person } from '../../src/portal-access/sessions.ts'
import type { Credentials } from '../../src/portal-access/sign-in.ts'
import type { Service } from '../../src/service.ts'
import { visitorOf } from '../middleware/client-address.ts'
import { orAgain } from './again.ts'
import { page } from './answer.tsx'
import { ForgotPage, ForgotSentPage, SignInPage } from './door-forms.tsx'
import type { PageEnv } from './env.ts'
import { isJson, readForm } from './forms.ts'
import { nextPage } from './next-page.ts'
import { redirectWith } from './page-kit.tsx'
import type { Door } from './ui/frame.tsx'
import { keepSession } from './visitors.ts'

/** What differs between the doors. */
interface SignInDoor {
  name: 'portal' | 'console'
  /** Where the door's pages begin. */
  base(c: Context<PageEnv>): string
  frame(c: Context<PageEnv>): Door
  /** The session that the request comes with. */
  session(c: Context<PageEnv>): Promise<{ partnerId: string; owner: Person; id: string } | undefined>
  /** The token of a new session. */
  signIn(c: Context<PageEnv>, credentials: Credentials): Promise<string>
  /** What a client is told of the session that it was given. */
  describe(c: Context<PageEnv>, token: string): Promise<Record<string, unknown>>
  /** What tries and mails are counted by. */
  account(c: Context<PageEnv>, email: string): string
  mailForgotten(c: Context<PageEnv>, email: string): Promise<void>
}

export function signInRoutes(service: Service, door: SignInDoor): Hono<PageEnv> {
  const { database, config } = service
  const app = new Hono<PageEnv>()
  const shared = (c: Context<PageEnv>) => ({ door: door.frame(c), base: door.base(c) })

  app.get('/sign-in', async (c) => {
    const next = c.req.query('next')
    if (await door.session(c)) return c.redirect(nextPage(door.base(c), next), 303)
    return page(c, <SignInPage {...shared(c)} next={next} />)
  })

  app.post('/sign-in', async (c) => {
    const form = await readForm(c)
    const email = form.text('email') ?? ''
    const next = form.text('next')
    return orAgain(
      c,
      async () => {
        const password = form.raw('password')
        requireFilled({ email, password })
        const token = await door.signIn(c, { email, password, ...visitorOf(c, config.trustedProxies) })
        await keepSession(service, c, door.name, token)
        if (!isJson(c)) return c.redirect(nextPage(door.base(c), next), 303)
        return c.json(await door.describe(c, token))
      },
      (refusal) =>
        page(c, <SignInPage {...shared(c)} email={email} next={next} refusal={refusal} />, refusal.status)
    )
  })

  app.post('/sign-out', async (c) => {
    const session = await door.session(c)
    if (session) {
      const { partnerId, owner, id } = session
      await database.transaction((tx) => endSession(tx, partnerId, owner, id))
    }
    await keepSession(service, c, door.name)
    if (isJson(c)) return c.json({ success: true })
    return redirectWith({ c, service }, `${door.base(c)}/sign-in`, 'You are signed out.')
  })

  app.get('/forgot', (c) => page(c, <ForgotPage {...shared(c)} />))

  app.post('/forgot', async (c) => {
    const form = await readForm(c)
    const email = form.text('email') ?? ''
    return orAgain(
      c,
      async () => {
        requireFilled({ email })
        const { address } = visitorOf(c, config.trustedProxies)
        if (await service.signInLimits.mayMail({ account: door.account(c, email), address })) {
          service.inBackground(behindAnswer(c, () => door.mailForgotten(c, email)))
        }
        if (isJson(c)) return c.json({ success: true })
        return page(c, <ForgotSentPage {...shared(c)} />)
      },
      (refusal) => page(c, <ForgotPage {...shared(c)} email={email} refusal={refusal} />, refusal.status)
    )
  })
  return app
}

/** By as much the moment of the work is uncertain. */
const SPREAD_MS = 250

/**
 * Does what only some answers bring about once the answer has left, and not just then: neither its time nor that of the
 * next answer on the connection tells whether there was anything to do. A service that stops waits for it.
 */
async function behindAnswer(c: Context<PageEnv>, work: () => Promise<void>): Promise<void> {
  const { outgoing } = c.env
  // Whoever leaves before the answer has asked all the same.
  if (outgoing) await finished(outgoing).catch(() => undefined)
  await sleep(Math.random() * SPREAD_MS)
  await work()
}

/** @throws ServiceError `invalid_input` naming the first field that is empty */
function requireFilled(fields: { email: string; password?: string }): void {
  if (fields.email === '')
    throw new ServiceError('invalid_input', 'Enter your e-mail address.', { field: 'email' })
  if (fields.password === '')
    throw new ServiceError('invalid_input', 'Enter your password.', { field: 'password' })
}
