// Signing in to a portal and out of it, and what may stand in between: a password or a portal to choose.

import type { Context, Hono } from 'hono'
import { ServiceError } from '../../src/errors.ts'
import { choosePortal, replaceTemporaryPassword } from '../../src/portal-access/enter.ts'
import { membershipsOf } from '../../src/portal-access/memberships.ts'
import { mailForgottenPassword } from '../../src/portal-access/reset.ts'
import { accountOf, portalTenant, signInToPortal } from '../../src/portal-access/sign-in.ts'
import { type PortalGuest, portalGuest } from '../../src/portal-access/visitors.ts'
import type { Service } from '../../src/service.ts'
import { visitorOf } from '../middleware/client-address.ts'
import { orAgain } from './again.ts'
import { page } from './answer.tsx'
import { ChoosePage } from './choose-page.tsx'
import { PasswordPage } from './door-forms.tsx'
import type { PageEnv } from './env.ts'
import { flash } from './flash.ts'
import type { Refusal } from './form-state.ts'
import { isJson, readForm } from './forms.ts'
import { portalDoor } from './frames.tsx'
import { signInRoutes } from './sign-in-routes.tsx'
import { guestOfPortal, keepSession } from './visitors.ts'

export function portalSessionRoutes(service: Service): Hono<PageEnv> {
  const { database, config } = service
  const baseOf = (c: Context<PageEnv>) => c.get('site').base
  const to = (c: Context<PageEnv>, path: string) => c.redirect(baseOf(c) + path || '/', 303)
  const app = signInRoutes(service, {
    name: 'portal',
    base: baseOf,
    frame: portalDoor,
    async session(c) {
      const guest = await guestOfPortal(service, c)
      return (
        guest && {
          partnerId: guest.partnerId,
          owner: { identityId: guest.identityId },
          id: guest.session.id
        }
      )
    },
    signIn: (c, credentials) => signInToPortal(service, c.get('site').partnerId, credentials),
    describe: async (c, token) => describe(await portalGuest(database.read, token, c.get('site').partnerId)),
    account: (c, email) => accountOf(portalTenant(c.get('site').partnerId), email),
    mailForgotten: (c, email) => mailForgottenPassword(service, c.get('site').partnerId, email)
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
        const choice = { password: form.raw('password'), email: guest.email, requestId: c.get('requestId') }
        const token = await replaceTemporaryPassword(database, atTheDoor(c, guest), choice)
        await keepSession(service, c, 'portal', token)
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
    if (token) await keepSession(service, c, 'portal', token)
    else flash(c, service, { kind: 'warn', text: 'That portal isn’t open to you any more.' })
    if (!isJson(c)) return to(c, token ? '' : '/choose')
    if (!token) throw new ServiceError('not_found', 'That portal isn’t open to you.')
    return c.json(describe(await portalGuest(database.read, token, guest.partnerId)))
  })

  const atTheDoor = (c: Context<PageEnv>, { partnerId, identityId, session }: PortalGuest) => ({
    partnerId,
    identityId,
    sessionId: session.id,
    ...visitorOf(c, config.trustedProxies)
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
