// What may stand between signing in to a portal and its pages: a password or a portal to choose.
import type { Context, Hono } from 'hono'
import { ServiceError } from '../../src/errors.ts'
import { membershipsOf } from '../../src/portal-access/memberships.ts'
import { replaceTemporaryPassword } from '../../src/portal-access/set-password.ts'
import { choosePortal, membershipKey } from '../../src/portal-access/sign-in.ts'
import { type PortalGuest, portalGuest } from '../../src/portal-access/visitors.ts'
import type { Service } from '../../src/service.ts'
import type { PageEnv } from './env.ts'
import { flash } from './flash.ts'
import type { FormState } from './form-state.ts'
import { isJson, readForm } from './forms.ts'
import { ROLE_NAMES } from './frames.tsx'
import { baseOf, redirectWith, submitForm } from './page-kit.tsx'
import { showOutside, showPasswordPage } from './password-forms.tsx'
import { Button, Form } from './ui/form.tsx'
import { Stack } from './ui/layout.tsx'
import { guestOfPortal, keepSession, visitOf } from './visitors.ts'

/** Puts the pages to choose on at their paths; who has nothing to choose there is sent on. */
export function addEnterPages(app: Hono<PageEnv>, service: Service): void {
  const { database } = service
  const to = (c: Context<PageEnv>, path: string) => c.redirect(baseOf(c) + path || '/', 303)

  app.on(['GET', 'POST'], '/password', async (c) => {
    const guest = await guestOfPortal(service, c)
    if (guest?.state !== 'password') return to(c, guest ? '' : '/sign-in')
    if (c.req.method !== 'POST') return showOwnPassword(c, guest)
    return submitForm(
      { c, service },
      {
        async act(form) {
          const visit = visitOf(c, service)
          const token = await replaceTemporaryPassword(database, guest, form.raw('password'), visit)
          await keepSession(service, c, token)
          return redirectWith({ c, service }, baseOf(c) || '/', 'Your password is set. Welcome in.')
        },
        again: (state) => showOwnPassword(c, guest, state)
      }
    )
  })

  app.on(['GET', 'POST'], '/choose', async (c) => {
    const guest = await guestOfPortal(service, c)
    if (!guest || guest.state === 'password') return to(c, guest ? '/password' : '/sign-in')
    if (c.req.method !== 'POST') return showChoice(service, c, guest)
    const form = await readForm(c)
    const token = await choosePortal(database, guest, form.raw('membership'), visitOf(c, service))
    if (token) await keepSession(service, c, token)
    else flash(c, service, { kind: 'warn', text: 'That portal isn’t open to you any more.' })
    if (!isJson(c)) return to(c, token ? '' : '/choose')
    if (!token) throw new ServiceError('not_found', 'That portal isn’t open to you.')
    return c.json(describePortalSession(await portalGuest(database.read, token, guest.partnerId)))
  })
}

function showOwnPassword(c: Context<PageEnv>, { email }: PortalGuest, state?: FormState) {
  const shown = {
    title: 'Choose your own password',
    intro:
      'You signed in with a temporary password, which works once. From now on you sign in with the one that you choose here.',
    action: `${baseOf(c)}/password`,
    email,
    submit: 'Save the password'
  }
  return showPasswordPage(c, shown, state)
}

async function showChoice({ database }: Service, c: Context<PageEnv>, { partnerId, person }: PortalGuest) {
  const memberships = await membershipsOf(database.read, partnerId, person.identityId)
  return showOutside(
    c,
    {
      title: 'Where do you want to go?',
      intro:
        memberships.length === 0
          ? 'No portal is open to you right now. Ask whoever invited you.'
          : 'Your address opens more than one account here. You can switch later on your account page.',
      footer: (
        <Form action={`${baseOf(c)}/sign-out`}>
          <Button kind="plain">Sign out</Button>
        </Form>
      )
    },
    <Form action={`${baseOf(c)}/choose`}>
      <Stack>
        {memberships.map((membership) => (
          <Button kind="plain" name="membership" value={membershipKey(membership)}>
            {membership.customerName} · {ROLE_NAMES[membership.role]}
          </Button>
        ))}
      </Stack>
    </Form>
  )
}

/** What a client is told of the session that it was given. */
export function describePortalSession(guest: PortalGuest | undefined): Record<string, unknown> {
  if (guest?.state === 'password') return { mustChangePassword: true }
  if (guest?.state !== 'inside') return { choose: true }
  const { customerId, name, role } = guest
  return { customerId, name, role }
}
