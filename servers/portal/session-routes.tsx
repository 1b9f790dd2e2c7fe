// Signing in to a portal and out of it, and what may stand in between: a password or a portal to choose.
import { type Context, Hono } from 'hono'
import { ServiceError } from '../../src/errors.ts'
import { choosePortal, replaceTemporaryPassword } from '../../src/portal-access/enter.ts'
import { mailForgottenPassword } from '../../src/portal-access/forgot.ts'
import { membershipsOf } from '../../src/portal-access/memberships.ts'
import { endSession } from '../../src/portal-access/sessions.ts'
import { portalAccount, signInToPortal } from '../../src/portal-access/sign-in.ts'
import type { PortalGuest } from '../../src/portal-access/visitors.ts'
import { portalGuest } from '../../src/portal-access/visitors.ts'
import type { Service } from '../../src/service.ts'
import { visitorOf } from '../middleware/client-address.ts'
import { orAgain } from './again.ts'
import { page } from './answer.tsx'
import { ChoosePage } from './choose-page.tsx'
import { dropCookie, writeSession } from './cookies.ts'
import { ForgotPage, ForgotSentPage, PasswordPage, SignInPage } from './door-forms.tsx'
import type { PageEnv } from './env.ts'
import { flash } from './flash.ts'
import { isJson, type Refusal, readForm } from './forms.ts'
import { portalDoor } from './frames.tsx'
import { nextPage } from './next-page.ts'
import { guestOfPortal } from './visitors.ts'

const COOKIE = 'mindgate_portal'

export function portalSessionRoutes(service: Service): Hono<PageEnv> {
  const { database, config } = service
  const app = new Hono<PageEnv>()
  const baseOf = (c: Context<PageEnv>) => c.get('site').base
  const to = (c: Context<PageEnv>, path: string) => c.redirect(baseOf(c) + path || '/', 303)
  const callerOf = (c: Context<PageEnv>) => visitorOf(c, config.trustedProxies)

  app.get('/sign-in', async (c) => {
    const next = c.req.query('next')
    if (await guestOfPortal(service, c)) return c.redirect(nextPage(baseOf(c), next), 303)
    return page(c, <SignInPage door={portalDoor(c)} base={baseOf(c)} next={next} />)
  })

  app.post('/sign-in', async (c) => {
    const form = await readForm(c)
    const email = form.text('email') ?? ''
    const next = form.text('next')
    return orAgain(
      c,
      async () => {
        requireFilled({ email, password: form.raw('password') })
        const { partnerId } = c.get('site')
        const credentials = { email, password: form.raw('password'), ...callerOf(c) }
        const { token } = await signInToPortal(service, partnerId, credentials)
        writeSession(c, 'portal', token)
        if (!isJson(c)) return c.redirect(nextPage(baseOf(c), next), 303)
        return c.json(describe(await portalGuest(database.read, token, partnerId)))
      },
      (refusal) =>
        page(
          c,
          <SignInPage door={portalDoor(c)} base={baseOf(c)} email={email} next={next} refusal={refusal} />,
          refusal.status
        )
    )
  })

  app.post('/sign-out', async (c) => {
    const guest = await guestOfPortal(service, c)
    if (guest) {
      const { partnerId, identityId, session } = guest
      await database.transaction((tx) => endSession(tx, partnerId, { identityId }, session.id))
    }
    dropCookie(c, COOKIE)
    if (isJson(c)) return c.json({ success: true })
    flash(c, service, { kind: 'good', text: 'You are signed out.' })
    return to(c, '/sign-in')
  })

  app.get('/forgot', (c) => page(c, <ForgotPage door={portalDoor(c)} base={baseOf(c)} />))

  app.post('/forgot', async (c) => {
    const form = await readForm(c)
    const email = form.text('email') ?? ''
    return orAgain(
      c,
      async () => {
        requireFilled({ email })
        const { partnerId } = c.get('site')
        const target = { account: portalAccount(partnerId, email), address: callerOf(c).address }
        // Behind the answer, which is the same for every address and takes as long.
        if (await service.signInLimits.mayMail(target)) {
          service.inBackground(mailForgottenPassword(service, partnerId, email))
        }
        if (isJson(c)) return c.json({ success: true })
        return page(c, <ForgotSentPage door={portalDoor(c)} base={baseOf(c)} />)
      },
      (refusal) =>
        page(
          c,
          <ForgotPage door={portalDoor(c)} base={baseOf(c)} email={email} refusal={refusal} />,
          refusal.status
        )
    )
  })

  const passwordPage = (c: Context<PageEnv>, { email }: PortalGuest, refusal?: Refusal) =>
    page(
      c,
      <PasswordPage
        door={portalDoor(c)}
        action={`${baseOf(c)}/password`}
        title="Choose your own password"
        intro="You signed in with a temporary password, which works once. From now on you sign in with the one that you choose here."
        email={email}
        submit="Save the password"
        refusal={refusal}
      />,
      refusal?.status ?? 200
    )

  app.get('/password', async (c) => {
    const guest = await guestOfPortal(service, c)
    return guest?.state === 'password' ? passwordPage(c, guest) : to(c, guest ? '' : '/sign-in')
  })

  app.post('/password', async (c) => {
    const form = await readForm(c)
    const guest = await guestOfPortal(service, c)
    if (guest?.state !== 'password') return to(c, guest ? '' : '/sign-in')
    return orAgain(
      c,
      async () => {
        const choice = {
          password: form.raw('password'),
          email: guest.email,
          requestId: c.get('requestId')
        }
        writeSession(c, 'portal', await replaceTemporaryPassword(database, atTheDoor(c, guest), choice))
        flash(c, service, { kind: 'good', text: 'Your password is set. Welcome in.' })
        return to(c, '')
      },
      (refusal) => passwordPage(c, guest, refusal)
    )
  })

  app.get('/choose', async (c) => {
    const guest = await guestOfPortal(service, c)
    if (!guest || guest.state === 'password') return to(c, guest ? '/password' : '/sign-in')
    const memberships = await membershipsOf(database.read, guest.partnerId, guest.identityId)
    return page(c, <ChoosePage door={portalDoor(c)} base={baseOf(c)} memberships={memberships} />)
  })

  app.post('/choose', async (c) => {
    const form = await readForm(c)
    const guest = await guestOfPortal(service, c)
    if (!guest || guest.state === 'password') return to(c, guest ? '/password' : '/sign-in')
    const token = await choosePortal(database, atTheDoor(c, guest), form.raw('membership'))
    if (token) writeSession(c, 'portal', token)
    else flash(c, service, { kind: 'warn', text: 'That portal isn’t open to you any more.' })
    if (!isJson(c)) return to(c, token ? '' : '/choose')
    if (!token) throw new ServiceError('not_found', 'That portal isn’t open to you.')
    return c.json(describe(await portalGuest(database.read, token, guest.partnerId)))
  })

  const atTheDoor = (c: Context<PageEnv>, { partnerId, identityId, session }: PortalGuest) => ({
    partnerId,
    identityId,
    sessionId: session.id,
    ...callerOf(c)
  })
  return app
}

/** What a client is told of the session that it was given. */
function describe(guest: PortalGuest | undefined): Record<string, unknown> {
  if (guest?.state === 'password') return { mustChangePassword: true }
  if (guest?.state !== 'inside') return { choose: true }
  const { customerId, name, role } = guest
  return { customerId, name, role }
}

/** @throws ServiceError `invalid_input` naming the first field that is empty */
export function requireFilled(fields: { email: string; password?: string }): void {
  if (fields.email === '')
    throw new ServiceError('invalid_input', 'Enter your e-mail address.', { field: 'email' })
  if (fields.password === '')
    throw new ServiceError('invalid_input', 'Enter your password.', { field: 'password' })
}
