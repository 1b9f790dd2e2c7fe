// Signing in to the console and out of it, forgotten passwords, and the link that `partner create` prints.

import type { Context, Hono } from 'hono'
import { ServiceError } from '../../src/errors.ts'
import { holderOf, redeemLink } from '../../src/portal-access/email-links.ts'
import { mailForgottenConsolePassword } from '../../src/portal-access/reset.ts'
import { accountOf, CONSOLE_TENANT, signInToConsole } from '../../src/portal-access/sign-in.ts'
import { consoleGuest } from '../../src/portal-access/visitors.ts'
import type { Service } from '../../src/service.ts'
import { visitorOf } from '../middleware/client-address.ts'
import { orAgain } from './again.ts'
import { page } from './answer.tsx'
import { LinkEndedPage, PasswordPage } from './door-forms.tsx'
import type { PageEnv } from './env.ts'
import type { Refusal } from './form-state.ts'
import { isJson, readForm } from './forms.ts'
import { CONSOLE_BASE, consoleDoor } from './frames.tsx'
import { held } from './link-routes.tsx'
import { redirectWith } from './page-kit.tsx'
import { signInRoutes } from './sign-in-routes.tsx'
import { guestOfConsole, keepSession } from './visitors.ts'

export function consoleSessionRoutes(service: Service): Hono<PageEnv> {
  const { database, config } = service
  const app = signInRoutes(service, {
    name: 'console',
    base: () => CONSOLE_BASE,
    frame: consoleDoor,
    async session(c) {
      const guest = await guestOfConsole(service, c)
      return (
        guest && {
          partnerId: guest.caller.partnerId,
          owner: { partnerUserId: guest.partnerUserId },
          id: guest.session.id
        }
      )
    },
    signIn: (c, credentials) => signInToConsole(service, credentials, c.get('requestId')),
    async describe(_, token) {
      const guest = await consoleGuest(database.read, token)
      return { partnerId: guest?.caller.partnerId, partnerName: guest?.partnerName, email: guest?.email }
    },
    account: (_, email) => accountOf(CONSOLE_TENANT, email),
    mailForgotten: (_, email) => mailForgottenConsolePassword(service, email)
  })

  async function showLink(c: Context<PageEnv>, token: string, refusal?: Refusal): Promise<Response> {
    const holder = await held(() => holderOf(database.read, 'console', token))
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
        const session = await redeemLink(service, 'console', {
          token,
          password: form.raw('password'),
          ...visitorOf(c, config.trustedProxies),
          requestId: c.get('requestId')
        })
        await keepSession(service, c, 'console', session)
        if (isJson(c)) return c.json({ success: true })
        return redirectWith({ c, service }, CONSOLE_BASE, 'Your password is set.')
      },
      (refusal) => showLink(c, token, refusal)
    )
  })
  return app
}
