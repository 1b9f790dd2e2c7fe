// The links of mails, and the one that `partner create` prints. Opening one shows a form and changes nothing.
import type { Context } from 'hono'
import { pieces, say } from '../../src/language/say.ts'
import { holderOf, type LinkForm, redeemLink } from '../../src/portal-access/email-links.ts'
import type { PageEnv } from './env.ts'
import { typed } from './form-state.ts'
import { isJson } from './forms.ts'
import { baseOf, type Page, type PageContext } from './page-kit.tsx'
import { showOutside, showPasswordPage } from './password-forms.tsx'
import { keepSession, visitOf } from './visitors.ts'

const PAGES = {
  invite: { path: '/accept', title: 'Accept your invite', submit: 'Accept the invite' },
  reset: { path: '/reset', title: 'Set a new password', submit: 'Save the password' },
  console: { path: '/set-password', title: 'Choose your password', submit: 'Save and sign in' }
} as const satisfies Record<LinkForm, unknown>

export function linkPage(form: LinkForm): Record<string, Page> {
  const { path, title, submit } = PAGES[form]
  const holderBy = ({ c, service }: PageContext, token = c.req.query('token') ?? '') =>
    holderOf(service.database.read, form, token, c.get('portal')?.partnerId)
  const page: Page = {
    languageOf: async (context, sent) => (await holderBy(context, sent?.raw('token')))?.portalLanguage,
    async show(context, state) {
      const { c } = context
      const token = state ? typed(state, 'token') : (c.req.query('token') ?? '')
      const hasEnded = state?.refusal?.code === 'link_ended'
      const holder = hasEnded ? undefined : await holderBy(context, token)
      if (!holder) return showLinkEnded(c)
      const { email, companyName, hasPassword } = holder
      const ofInvite = form === 'invite' ? inviteWords(c, companyName, hasPassword) : {}
      const words = { title: say(title), submit: say(submit), ...ofInvite }
      const shown = { ...words, action: baseOf(c) + path, email, kept: { token } }
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
  const where = { company: companyName ?? '', brand: look.name }
  if (!hasPassword) {
    return {
      intro: companyName
        ? say('Choose a password, and you’re in: {company} at {brand}.', where)
        : say('Choose a password, and you’re in: {brand}.', where)
    }
  }
  return {
    isPresent: true,
    intro: companyName
      ? say('You have a password here already. Sign in with it to join {company} at {brand}.', where)
      : say('You have a password here already. Sign in with it to join {brand}.', where),
    footer: <a href={`${base}/forgot`}>{say('Forgot your password?')}</a>
  }
}

function outcomeOf(c: Context<PageEnv>, form: LinkForm, isSignedIn: boolean): string {
  if (form === 'console') return 'Your password is set.'
  if (form === 'reset') return say('Your new password is set. Sign in with it.')
  if (isSignedIn) return say('Welcome to {brand}.', { brand: c.get('portal').look.name })
  return say('Your invite is accepted. The portal isn’t open yet: ask whoever invited you.')
}

const showLinkEnded = (c: Context<PageEnv>): Promise<Response> =>
  showOutside(
    c,
    {
      title: say('This link has ended'),
      footer: <a href={`${baseOf(c)}/sign-in`}>{say('Sign in')}</a>,
      status: 404
    },
    <>
      <p>{say('This link was used already, replaced by a newer one, or ran out. Ask for a new one.')}</p>
      <p>
        {pieces('If you have chosen a password before, you can sign in with it or <a>set a new one</a>.', {
          a: (words) => <a href={`${baseOf(c)}/forgot`}>{words}</a>
        })}
      </p>
    </>
  )
