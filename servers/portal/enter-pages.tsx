// What may stand between signing in to a portal and its pages: a password or a portal to choose.
import type { Context, Hono } from 'hono'
import { ServiceError } from '../../src/errors.ts'
import { say } from '../../src/language/say.ts'
import { membershipsOf } from '../../src/portal-access/memberships.ts'
import { replaceTemporaryPassword } from '../../src/portal-access/set-password.ts'
import { choosePortal, membershipKey } from '../../src/portal-access/sign-in.ts'
import { type PendingGuest, type PortalGuest, portalGuest } from '../../src/portal-access/visitors.ts'
import type { Service } from '../../src/service.ts'
import { nextPage } from './addresses.ts'
import type { PageEnv } from './env.ts'
import { typed } from './form-state.ts'
import { isJson } from './forms.ts'
import { ROLE_NAMES } from './frames.tsx'
import { addPages, baseOf, type Page } from './page-kit.tsx'
import { showOutside, showPasswordPage } from './password-forms.tsx'
import { ActButton, Button, Form } from './ui/form.tsx'
import { Stack } from './ui/layout.tsx'
import { guestOfPortal, keepSession, visitOf } from './visitors.ts'

/** Puts the pages to choose on at their paths; who has nothing to choose there is sent on. */
export function addEnterPages(app: Hono<PageEnv>, service: Service): void {
  const to = (c: Context<PageEnv>, path: string) => c.redirect(baseOf(c) + path || '/', 303)
  app.use('/:page{password|choose}', async function knowNewcomer(c, next) {
    const guest = await guestOfPortal(service, c)
    if (!guest) return to(c, '/sign-in')
    const mustChange = guest.state === 'password'
    if (guest.session.pending !== null && !mustChange) return to(c, '/factor')
    if (mustChange !== (c.req.path === '/password')) return to(c, mustChange ? '/password' : '')
    c.set('newcomer', guest)
    return next()
  })
  addPages(app, service, { '/password': passwordPage, '/choose': choicePage })
}

const passwordPage: Page = {
  languageOf: ({ c, service }) => languageOf(service, c.get('newcomer')),
  show: async ({ c }, state) =>
    showPasswordPage(
      c,
      {
        title: say('Choose your own password'),
        intro: say(
          'You signed in with a temporary password, which works once. From now on you sign in with the one that you choose here.'
        ),
        action: `${baseOf(c)}/password`,
        kept: { next: state ? typed(state, 'next') : c.req.query('next') },
        email: c.get('newcomer').email,
        submit: say('Save the password')
      },
      state
    ),
  forms: {
    async ''({ c, service }, form) {
      const password = form.raw('password')
      const guest = c.get('newcomer')
      const token = await replaceTemporaryPassword(service.database, guest, password, visitOf(c, service))
      await keepSession(service, c, token)
      return {
        message: say('Your password is set. Welcome in.'),
        next: nextPage(baseOf(c), form.text('next'))
      }
    }
  }
}

const choicePage: Page = {
  async show({ c, service: { database } }) {
    const { partnerId, person } = c.get('newcomer')
    const memberships = await membershipsOf(database.read, partnerId, person.identityId)
    return showOutside(
      c,
      {
        title: say('Where do you want to go?'),
        intro:
          memberships.length === 0
            ? say('No portal is open to you right now. Ask whoever invited you.')
            : say(
                'Your address opens more than one account here. You can switch later on your account page.'
              ),
        footer: <ActButton action={`${baseOf(c)}/sign-out`}>{say('Sign out')}</ActButton>
      },
      <Form action={`${baseOf(c)}/choose`}>
        <input type="hidden" name="next" value={c.req.query('next') ?? ''} />
        <Stack>
          {memberships.map((membership) => (
            <Button kind="plain" name="membership" value={membershipKey(membership)}>
              {membership.customerName} · {say(ROLE_NAMES[membership.role])}
            </Button>
          ))}
        </Stack>
      </Form>
    )
  },
  forms: {
    async ''({ c, service }, form) {
      const { database } = service
      const guest = c.get('newcomer')
      const token = await choosePortal(database, guest, form.raw('membership'), visitOf(c, service))
      if (!token && isJson(c)) throw new ServiceError('not_found', 'That portal isn’t open to you.')
      if (!token) return { message: say('That portal isn’t open to you any more.'), kind: 'warn' }
      await keepSession(service, c, token)
      if (!isJson(c)) return c.redirect(nextPage(baseOf(c), form.text('next')), 303)
      return c.json(await describePortalSession(service, token, guest.partnerId))
    }
  }
}

/** That of the first portal which is open to them. */
export async function languageOf({ database }: Service, guest: PortalGuest | PendingGuest) {
  if (!('identityId' in guest.person)) return undefined
  const [membership] = await membershipsOf(database.read, guest.partnerId, guest.person.identityId)
  return membership?.portalLanguage
}

/** What a client is told of the session that it was given. */
export async function describePortalSession({ database }: Service, token: string, partnerId: string) {
  const guest = await portalGuest(database.read, token, partnerId)
  if (guest?.state === 'password') return { mustChangePassword: true }
  if (guest?.state === 'choice') return { choose: true }
  if (guest?.state !== 'inside') return { secondFactor: guest?.session.pending }
  const { customerId, name, role } = guest
  return { customerId, name, role }
}
