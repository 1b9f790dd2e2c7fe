// Signing in to a site and out of it, and forgotten passwords: the same for portal and console.
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context, Hono } from 'hono'
import { ServiceError } from '../../src/errors.ts'
import { say } from '../../src/language/say.ts'
import { mailForgottenConsolePassword, mailForgottenPassword } from '../../src/portal-access/access-mails.ts'
import { endSession } from '../../src/portal-access/sessions.ts'
import {
  accountOf,
  CONSOLE_TENANT,
  type Credentials,
  portalTenant,
  signInToConsole,
  signInToPortal
} from '../../src/portal-access/sign-in.ts'
import { consoleGuest } from '../../src/portal-access/visitors.ts'
import type { Service } from '../../src/service.ts'
import { nextPage } from './addresses.ts'
import { describePortalSession } from './enter-pages.tsx'
import type { PageEnv } from './env.ts'
import { factorPage } from './factor-pages.tsx'
import { type FormState, typed } from './form-state.ts'
import { type Form as FormData, isJson } from './forms.ts'
import { addPages, baseOf, type PageContext, redirectWith } from './page-kit.tsx'
import { EmailField, PasswordField, showOutside } from './password-forms.tsx'
import { CONSOLE_BASE } from './rights.ts'
import { Form, FormError, Submit } from './ui/form.tsx'
import { endView, guestOfConsole, guestOfPortal, keepSession, visitOf } from './visitors.ts'

/** What differs between the sites. */
export interface SignInSite {
  /** Whose sign-ins wait for each other; with the address it names the account. */
  tenant(c: Context<PageEnv>): string
  guest(c: Context<PageEnv>): ReturnType<typeof guestOfPortal> | ReturnType<typeof guestOfConsole>
  signIn(c: Context<PageEnv>, credentials: Credentials): Promise<string>
  describe(c: Context<PageEnv>, token: string): Promise<Record<string, unknown>>
  mailForgotten(c: Context<PageEnv>, email: string): Promise<void>
}

export const portalSignIn = (service: Service): SignInSite => {
  const partnerOf = (c: Context<PageEnv>) => c.get('portal').partnerId
  return {
    tenant: (c) => portalTenant(partnerOf(c)),
    guest: (c) => guestOfPortal(service, c),
    signIn: (c, credentials) => signInToPortal(service, partnerOf(c), credentials, visitOf(c, service)),
    describe: (c, token) => describePortalSession(service, token, partnerOf(c)),
    mailForgotten: (c, email) => mailForgottenPassword(service, partnerOf(c), email)
  }
}

export const consoleSignIn = (service: Service): SignInSite => ({
  tenant: () => CONSOLE_TENANT,
  guest: (c) => guestOfConsole(service, c),
  signIn: (c, credentials) => signInToConsole(service, credentials, visitOf(c, service)),
  async describe(_, token) {
    const guest = await consoleGuest(service.database.read, token)
    if (guest?.state !== 'inside') return { secondFactor: guest?.state }
    return { partnerId: guest.partnerId, partnerName: guest.partnerName, email: guest.email }
  },
  mailForgotten: (_, email) => mailForgottenConsolePassword(service, email)
})

export function addSignInPages(app: Hono<PageEnv>, service: Service, site: SignInSite): void {
  const { database, signInLimits } = service
  app.use('/factor/*', async function knowPending(c, next) {
    const guest = await site.guest(c)
    if (guest?.state !== 'factor' && guest?.state !== 'set-up') return c.redirect(baseOf(c) || '/', 303)
    c.set('pending', guest)
    return next()
  })

  app.post('/sign-out', async (c) => {
    const viewed = await endView(service, c)
    if (viewed) return c.redirect(`${CONSOLE_BASE}/customers/${viewed}`, 303)
    const guest = await site.guest(c)
    if (guest) {
      const { partnerId, person, session } = guest
      await database.transaction((tx) => endSession(tx, partnerId, person, session.id))
    }
    await keepSession(service, c)
    if (isJson(c)) return c.json({ success: true })
    return redirectWith({ c, service }, `${baseOf(c)}/sign-in`, say('You are signed out.'))
  })

  addPages(app, service, {
    '/factor': factorPage,
    '/sign-in': {
      async show({ c }, state) {
        const next = state ? typed(state, 'next') : c.req.query('next')
        if (!state && (await site.guest(c))) return c.redirect(nextPage(baseOf(c), next), 303)
        return showSignIn(c, next, state)
      },
      forms: {
        async ''({ c }, form) {
          const email = emailIn(form)
          const password = form.raw('password')
          if (password === '') throw emptyField('password', 'Enter your password.')
          const token = await site.signIn(c, { email, password })
          await keepSession(service, c, token)
          if (isJson(c)) return c.json(await site.describe(c, token))
          return c.redirect(nextPage(baseOf(c), form.text('next')), 303)
        }
      }
    },
    '/forgot': {
      show: showForgot,
      forms: {
        async ''({ c }, form) {
          const email = emailIn(form)
          const { address } = visitOf(c, service)
          if (await signInLimits.mayMail({ account: accountOf(site.tenant(c), email), address })) {
            service.inBackground(behindAnswer(c, () => site.mailForgotten(c, email)))
          }
          return isJson(c) ? c.json({ success: true }) : showForgotSent(c)
        }
      }
    }
  })
}

const showSignIn = (c: Context<PageEnv>, next?: string, state?: FormState): Promise<Response> =>
  showOutside(
    c,
    { title: say('Sign in'), footer: <a href={`${baseOf(c)}/forgot`}>{say('Forgot your password?')}</a> },
    <Form action={`${baseOf(c)}/sign-in`}>
      <FormError refusal={state?.refusal} />
      {next ? <input type="hidden" name="next" value={next} /> : null}
      <EmailField state={state} autofocus={!state} />
      <PasswordField state={state} autofocus={state !== undefined} />
      <Submit>{say('Sign in')}</Submit>
    </Form>,
    state
  )

const backToSignIn = (c: Context<PageEnv>) => <a href={`${baseOf(c)}/sign-in`}>{say('Back to sign in')}</a>

const showForgot = ({ c }: PageContext, state?: FormState): Promise<Response> =>
  showOutside(
    c,
    {
      title: say('Forgot your password?'),
      intro: say('Enter the address you sign in with, and we’ll mail you a link to set a new one.'),
      footer: backToSignIn(c)
    },
    <Form action={`${baseOf(c)}/forgot`}>
      <FormError refusal={state?.refusal} />
      <EmailField state={state} autofocus />
      <Submit>{say('Send the link')}</Submit>
    </Form>,
    state
  )

const showForgotSent = (c: Context<PageEnv>): Promise<Response> =>
  showOutside(
    c,
    { title: say('Look into your mail'), footer: backToSignIn(c) },
    <>
      <p>
        {say(
          'If that address can sign in here, a link to set a new password is on its way. It is valid for 60 minutes.'
        )}
      </p>
      <p>
        {say(
          'Nothing there after a few minutes? Look into the spam folder, or check the address and try again.'
        )}
      </p>
    </>
  )

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

/** @throws ServiceError `invalid_input` when it is empty */
function emailIn(form: FormData): string {
  const email = form.text('email')
  if (email === undefined) throw emptyField('email', 'Enter your e-mail address.')
  return email
}

const emptyField = (field: string, message: string): ServiceError =>
  new ServiceError('invalid_input', message, { field })
