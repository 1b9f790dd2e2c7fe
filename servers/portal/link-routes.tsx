// The links of mails to a portal: invites and resets. Opening one shows a form and changes nothing.

import { type Context, Hono } from 'hono'
import { ServiceError } from '../../src/errors.ts'
import { holderOf, redeemLink } from '../../src/portal-access/email-links.ts'
import type { Service } from '../../src/service.ts'
import { visitorOf } from '../middleware/client-address.ts'
import { orAgain } from './again.ts'
import { page } from './answer.tsx'
import { LinkEndedPage, PasswordPage } from './door-forms.tsx'
import type { PageEnv } from './env.ts'
import { flash } from './flash.ts'
import type { Refusal } from './form-state.ts'
import { type Form, isJson, readForm } from './forms.ts'
import { portalDoor } from './frames.tsx'
import { keepSession } from './visitors.ts'

export function portalLinkRoutes(service: Service): Hono<PageEnv> {
  const { database, config } = service
  const app = new Hono<PageEnv>()

  async function show(
    c: Context<PageEnv>,
    kind: 'invite' | 'reset',
    token: string,
    refusal?: Refusal
  ): Promise<Response> {
    const { base, partnerId, look } = c.get('site')
    const status = refusal?.status ?? 200
    const ended = (message: string) =>
      page(c, <LinkEndedPage door={portalDoor(c)} base={base} message={message} />, 404)
    if (refusal?.code === 'link_ended') return ended(refusal.message)
    const holder = await held(() => holderOf(database.read, kind, token, partnerId))
    if (holder instanceof ServiceError) return ended(holder.message)
    const { email, companyName, hasPassword } = holder
    const shared = { door: portalDoor(c), email, token, refusal }
    if (kind === 'reset') {
      return page(
        c,
        <PasswordPage
          {...shared}
          action={`${base}/reset`}
          title="Set a new password"
          submit="Save the password"
        />,
        status
      )
    }
    const where = companyName ? `${companyName} at ${look.name}` : look.name
    return page(
      c,
      <PasswordPage
        {...shared}
        action={`${base}/accept`}
        kind={hasPassword ? 'current' : 'new'}
        title="Accept your invite"
        intro={
          hasPassword
            ? `You have a password here already. Sign in with it to join ${where}.`
            : `Choose a password, and you’re in: ${where}.`
        }
        submit="Accept the invite"
        footer={hasPassword ? <a href={`${base}/forgot`}>Forgot your password?</a> : undefined}
      />,
      status
    )
  }

  app.get('/accept', (c) => show(c, 'invite', c.req.query('token') ?? ''))
  app.get('/reset', (c) => show(c, 'reset', c.req.query('token') ?? ''))

  app.post('/accept', async (c) => {
    const form = await readForm(c)
    const { partnerId, base, look } = c.get('site')
    return orAgain(
      c,
      async () => {
        const token = await redeemLink(service, 'invite', redemption(c, form), partnerId)
        if (token) await keepSession(service, c, 'portal', token)
        if (isJson(c)) return c.json({ success: true })
        flash(
          c,
          service,
          token
            ? { kind: 'good', text: `Welcome to ${look.name}.` }
            : {
                kind: 'warn',
                text: 'Your invite is accepted. The portal isn’t open yet: ask whoever invited you.'
              }
        )
        return c.redirect(token ? base || '/' : `${base}/sign-in`, 303)
      },
      (refusal) => show(c, 'invite', form.raw('token'), refusal)
    )
  })

  app.post('/reset', async (c) => {
    const form = await readForm(c)
    const { partnerId, base } = c.get('site')
    return orAgain(
      c,
      async () => {
        await redeemLink(service, 'reset', redemption(c, form), partnerId)
        if (isJson(c)) return c.json({ success: true })
        flash(c, service, { kind: 'good', text: 'Your new password is set. Sign in with it.' })
        return c.redirect(`${base}/sign-in`, 303)
      },
      (refusal) => show(c, 'reset', form.raw('token'), refusal)
    )
  })

  const redemption = (c: Context<PageEnv>, form: Form) => ({
    token: form.raw('token'),
    password: form.raw('password'),
    ...visitorOf(c, config.trustedProxies),
    requestId: c.get('requestId')
  })
  return app
}

/** What `work` finds, or that the link has ended. */
export async function held<T>(work: () => Promise<T>): Promise<T | ServiceError> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'link_ended') return error
    throw error
  }
}
