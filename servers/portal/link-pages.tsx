// The links of mails, and the one that `partner create` prints. Opening one shows a form and changes nothing.
import type { Context } from 'hono'
import { holderOf, type LinkForm, redeemLink } from '../../src/portal-access/email-links.ts'
import { linkEnded } from '../../src/portal-access/links.ts'
import type { PageEnv } from './env.ts'
import { typed } from './form-state.ts'
import { isJson } from './forms.ts'
import { baseOf, type Page } from './page-kit.tsx'
import { showOutside, showPasswordPage } from './password-forms.tsx'
import { keepSession, visitOf } from './visitors.ts'

const PAGES = {
  invite: { path: '/accept', title: 'Accept your invite', submit: 'Accept the invite' },
  reset: { path: '/reset', title: 'Set a new password', submit: 'Save the password' },
  console: { path: '/set-password', title: 'Choose your password', submit: 'Save and sign in' }
} as const satisfies Record<LinkForm, unknown>

export function linkPage(form: LinkForm): Record<string, Page> {
  const { path, ...words } = PAGES[form]
  const page: Page = {
    async show({ c, service }, state) {
      const token = state ? typed(state, 'token') : (c.req.query('token') ?? '')
      const hasEnded = state?.refusal?.code === 'link_ended'
      const partnerId = c.get('portal')?.partnerId
      const holder = hasEnded ? undefined : await holderOf(service.database.read, form, token, partnerId)
      if (!holder) return showLinkEnded(c)
      const { email, companyName, hasPassword } = holder
      const ofInvite = form === 'invite' ? inviteWords(c, companyName, hasPassword) : {}
      const shown = { ...words, ...ofInvite, action: baseOf(c) + path, email, kept: { token } }
      return showPasswordPage(c, shown, state)
    },
    forms: {
      async ''({ c, service }, filled) {
        const redemption = { token: filled.raw('token'), password: filled.raw('password') }
        const openedIn = c.get('portal')?.partnerId
        const session = await redeemLink(service, form, redemption, visitOf(c, service), openedIn)
        if (session) await keepSession(service, c, session)
        if (isJson(c)) return c.json({ success: true })
        return {
          message: outcomeOf(c, form, session !== undefined),
          next: session ? baseOf(c) || '/' : `${baseOf(c)}/sign-in`,
          kind: form === 'invite' && !session ? 'warn' : 'good'
        }
      }
    }
  }
  return { [path]: page }
}

function inviteWords(c: Context<PageEnv>, companyName: string | null, hasPassword: boolean) {
  const { base, look } = c.get('portal')
  const where = companyName ? `${companyName} at ${look.name}` : look.name
  if (!hasPassword) return { intro: `Choose a password, and you’re in: ${where}.` }
  return {
    isPresent: true,
    intro: `You have a password here already. Sign in with it to join ${where}.`,
    footer: <a href={`${base}/forgot`}>Forgot your password?</a>
  }
}

function outcomeOf(c: Context<PageEnv>, form: LinkForm, isSignedIn: boolean): string {
  if (form === 'console') return 'Your password is set.'
  if (form === 'reset') return 'Your new password is set. Sign in with it.'
  if (isSignedIn) return `Welcome to ${c.get('portal').look.name}.`
  return 'Your invite is accepted. The portal isn’t open yet: ask whoever invited you.'
}

const showLinkEnded = (c: Context<PageEnv>): Promise<Response> =>
  showOutside(
    c,
    {
      title: 'This link has ended',
      footer: <a href={`${baseOf(c)}/sign-in`}>Sign in</a>,
      status: 404
    },
    <>
      <p>{linkEnded().message}</p>
      <p>
        If you have chosen a password before, you can sign in with it or{' '}
        <a href={`${baseOf(c)}/forgot`}>set a new one</a>.
      </p>
    </>
  )
