// Signing in to the console and out of it, forgotten passwords, and the link that `partner create` prints.
import { type Context, Hono } from 'hono'
import { ServiceError } from '../../src/errors.ts'
import { mailForgottenConsolePassword } from '../../src/portal-access/forgot.ts'
import { consoleHolderOf, setConsolePassword } from '../../src/portal-access/redeem.ts'
import { endSession } from '../../src/portal-access/sessions.ts'
import { consoleAccount, signInToConsole } from '../../src/portal-access/sign-in.ts'
import { consoleGuest } from '../../src/portal-access/visitors.ts'
import type { Service } from '../../src/service.ts'
import { visitorOf } from '../middleware/client-address.ts'
import { orAgain } from './again.ts'
import { page } from './answer.tsx'
import { dropCookie, writeSession } from './cookies.ts'
import { ForgotPage, ForgotSentPage, LinkEndedPage, PasswordPage, SignInPage } from './door-forms.tsx'
import type { PageEnv } from './env.ts'
import { flash } from './flash.ts'
import { isJson, type Refusal, readForm } from './forms.ts'
import { CONSOLE_BASE, consoleDoor } from './frames.tsx'
import { held } from './link-routes.tsx'
import { nextPage } from './next-page.ts'
import { requireFilled } from './session-routes.tsx'
import { guestOfConsole } from './visitors.ts'

const COOKIE = 'mindgate_console'

export function consoleSessionRoutes(service: Service): Hono<PageEnv> {
  const { database, config } = service
  const app = new Hono<PageEnv>()
  const callerOf = (c: Context<PageEnv>) => visitorOf(c, config.trustedProxies)

  app.get('/sign-in', async (c) => {
    const next = c.req.query('next')
    if (await guestOfConsole(service, c)) return c.redirect(nextPage(CONSOLE_BASE, next), 303)
    return page(c, <SignInPage door={consoleDoor(c)} base={CONSOLE_BASE} next={next} />)
  })

  app.post('/sign-in', async (c) => {
    const form = await readForm(c)
    const email = form.text('email') ?? ''
    const next = form.text('next')
    return orAgain(
      c,
      async () => {
        requireFilled({ email, password: form.raw('password') })
        const credentials = { email, password: form.raw('password'), ...callerOf(c) }
        const { token } = await signInToConsole(service, credentials, c.get('requestId'))
        writeSession(c, 'console', token)
        if (!isJson(c)) return c.redirect(nextPage(CONSOLE_BASE, next), 303)
        const guest = await consoleGuest(database.read, token)
        return c.json({
          partnerId: guest?.caller.partnerId,
          partnerName: guest?.partnerName,
          email: guest?.email
        })
      },
      (refusal) =>
        page(
          c,
          <SignInPage
            door={consoleDoor(c)}
            base={CONSOLE_BASE}
            email={email}
            next={next}
            refusal={refusal}
          />,
          refusal.status
        )
    )
  })

  app.post('/sign-out', async (c) => {
    const guest = await guestOfConsole(service, c)
    if (guest) {
      const { partnerUserId, session, caller } = guest
      await database.transaction((tx) => endSession(tx, caller.partnerId, { partnerUserId }, session.id))
    }
    dropCookie(c, COOKIE)
    if (isJson(c)) return c.json({ success: true })
    flash(c, service, { kind: 'good', text: 'You are signed out.' })
    return c.redirect(`${CONSOLE_BASE}/sign-in`, 303)
  })

  app.get('/forgot', (c) => page(c, <ForgotPage door={consoleDoor(c)} base={CONSOLE_BASE} />))

  app.post('/forgot', async (c) => {
    const form = await readForm(c)
    const email = form.text('email') ?? ''
    return orAgain(
      c,
      async () => {
        requireFilled({ email })
        const target = { account: consoleAccount(email), address: callerOf(c).address }
        // Behind the answer, which is the same for every address and takes as long.
        if (await service.signInLimits.mayMail(target)) {
          service.inBackground(mailForgottenConsolePassword(service, email))
        }
        if (isJson(c)) return c.json({ success: true })
        return page(c, <ForgotSentPage door={consoleDoor(c)} base={CONSOLE_BASE} />)
      },
      (refusal) =>
        page(
          c,
          <ForgotPage door={consoleDoor(c)} base={CONSOLE_BASE} email={email} refusal={refusal} />,
          refusal.status
        )
    )
  })

  async function showLink(c: Context<PageEnv>, token: string, refusal?: Refusal): Promise<Response> {
    const holder = await held(() => consoleHolderOf(database.read, token))
    if (holder instanceof ServiceError) {
      return page(
        c,
        <LinkEndedPage door={consoleDoor(c)} base={CONSOLE_BASE} message={holder.message} />,
        404
      )
    }
    return page(
      c,
      <PasswordPage
        door={consoleDoor(c)}
        action={`${CONSOLE_BASE}/set-password`}
        title="Choose your password"
        email={holder.email}
        token={token}
        submit="Save and sign in"
        refusal={refusal}
      />,
      refusal?.status ?? 200
    )
  }

  app.get('/set-password', (c) => showLink(c, c.req.query('token') ?? ''))

  app.post('/set-password', async (c) => {
    const form = await readForm(c)
    const token = form.raw('token')
    return orAgain(
      c,
      async () => {
        const session = await setConsolePassword(service, {
          token,
          password: form.raw('password'),
          ...callerOf(c),
          requestId: c.get('requestId')
        })
        writeSession(c, 'console', session)
        if (isJson(c)) return c.json({ success: true })
        flash(c, service, { kind: 'good', text: 'Your password is set.' })
        return c.redirect(CONSOLE_BASE, 303)
      },
      (refusal) => showLink(c, token, refusal)
    )
  })
  return app
}
