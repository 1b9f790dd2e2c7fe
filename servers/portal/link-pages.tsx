// The links of mails, and the one that `partner create` prints. Opening one shows a form and changes nothing.
import type { Context } from 'hono'
import { say, type Text } from '../../src/language/say.ts'
import { endOf, holderOf, type LinkForm, redeemLink } from '../../src/portal-access/email-links.ts'
import type { PageEnv } from './env.ts'
import { typed } from './form-state.ts'
import { isJson } from './forms.ts'
import { entryOf } from './frames.tsx'
import { baseOf, type Page, type PageContext } from './page-kit.tsx'
import { showOutside, showPasswordPage } from './password-forms.tsx'
import { LinkButton } from './ui/form.tsx'
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
      if (!holder) return showLinkEnded(context, form, token)
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

const GONE =
  'It was replaced by a newer one or taken back, or a part of it is missing. Look for a newer mail.'

/** What to say of a link that does nothing any more: of an invite's, and of one to set a password. */
const ENDS = {
  used: [
    'This link was used',
    'Your invite was accepted with it. Sign in with your e-mail address and your password.',
    'A password was chosen with it. Sign in with that one.'
  ],
  late: [
    'This link ran out',
    'An invite is good for seven days. Ask {brand}, or whoever invited you, for a new one.',
    'Nobody used it in time.'
  ],
  gone: ['This link has ended', GONE, GONE]
} as const satisfies Record<Awaited<ReturnType<typeof endOf>>, readonly Text[]>

/** Leads on from there: to sign in, or to another link. */
async function showLinkEnded({ c, service }: PageContext, form: LinkForm, token: string): Promise<Response> {
  const end = await endOf(service.database.read, form, token, c.get('portal')?.partnerId)
  const [title, ofInvite, ofPassword] = ENDS[end]
  const words = form === 'invite' ? say(ofInvite, { brand: entryOf(c).look.name }) : say(ofPassword)
  const forgot = `${baseOf(c)}/forgot`
  const [next, verb] =
    end === 'late' && form !== 'invite'
      ? [forgot, say('Send a new link')]
      : [`${baseOf(c)}/sign-in`, say('Sign in')]
  const footer = next === forgot ? null : <a href={forgot}>{say('Forgot your password?')}</a>
  return showOutside(c, { title: say(title), footer, status: 404 }, [
    <p>{words}</p>,
    <LinkButton href={next}>{verb}</LinkButton>
  ])
}
