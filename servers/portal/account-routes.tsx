// The account pages of both doors: change the password, see and end sessions.

import { type Context, Hono } from 'hono'
import type { Child, FC } from 'hono/jsx'
import { membershipsOf } from '../../src/portal-access/memberships.ts'
import {
  endSession,
  endSessions,
  type ListedSession,
  listSessions,
  type Person
} from '../../src/portal-access/sessions.ts'
import { changePassword } from '../../src/portal-access/set-password.ts'
import type { Service } from '../../src/service.ts'
import { visitorOf } from '../middleware/client-address.ts'
import { orAgain } from './again.ts'
import { page } from './answer.tsx'
import { browserName } from './browser-name.ts'
import { NewPasswordField } from './door-forms.tsx'
import type { PageEnv } from './env.ts'
import { fieldError, type Refusal } from './form-state.ts'
import { readForm } from './forms.ts'
import { CONSOLE_BASE, ConsolePage, PortalPage, ROLE_NAMES } from './frames.tsx'
import { redirectWith } from './page-kit.tsx'
import { Field } from './ui/field.tsx'
import { Button, ConfirmButton, Form, FormError, LinkButton, Submit } from './ui/form.tsx'
import { Card, DescriptionList, Row, Stack } from './ui/layout.tsx'
import { Table } from './ui/table.tsx'
import { Badge, Time } from './ui/values.tsx'

/** What differs between the doors. */
interface DoorAccount {
  /** Whose account it is. */
  who(c: Context<PageEnv>): { partnerId: string; owner: Person; sessionId: string; email: string }
  /** Where the door's pages begin. */
  base(c: Context<PageEnv>): string
  show(c: Context<PageEnv>, account: Omit<AccountProps, 'you'>): Promise<Response>
}

/** Behind `portalVisitor()`. */
export const portalAccountPages = (service: Service): Hono<PageEnv> =>
  accountPages(service, {
    who(c) {
      const { identityId, sessionId, email, caller } = c.get('visitor')
      return { partnerId: caller.partnerId, owner: { identityId }, sessionId, email }
    },
    base: (c) => c.get('site').base,
    async show(c, account) {
      const { identityId, customerId, name, email, role, caller } = c.get('visitor')
      const memberships = await membershipsOf(service.database.read, caller.partnerId, identityId)
      const here = memberships.find((membership) => membership.customerId === customerId)
      const you = [
        { term: 'Name', value: name === email ? null : name },
        { term: 'E-mail', value: email },
        { term: 'Account', value: here?.customerName },
        { term: 'Role', value: ROLE_NAMES[role] }
      ]
      const switchTo =
        memberships.length > 1 ? (
          <LinkButton kind="plain" href={`${c.get('site').base}/choose`}>
            Switch account
          </LinkButton>
        ) : undefined
      return page(
        c,
        <PortalPage c={c} title="Account" current="account">
          <Account {...account} you={you} youAction={switchTo} />
        </PortalPage>,
        account.refusal?.status ?? 200
      )
    }
  })

/** Behind `consoleVisitor()`. */
export const consoleAccountPages = (service: Service): Hono<PageEnv> =>
  accountPages(service, {
    who(c) {
      const { partnerUserId, sessionId, email, caller } = c.get('consoleVisitor')
      return { partnerId: caller.partnerId, owner: { partnerUserId }, sessionId, email }
    },
    base: () => CONSOLE_BASE,
    async show(c, account) {
      const { email, partnerName } = c.get('consoleVisitor')
      const you = [
        { term: 'E-mail', value: email },
        { term: 'Partner', value: partnerName }
      ]
      return page(
        c,
        <ConsolePage c={c} title="Account" current="account">
          <Account {...account} you={you} />
        </ConsolePage>,
        account.refusal?.status ?? 200
      )
    }
  })

function accountPages(service: Service, door: DoorAccount): Hono<PageEnv> {
  const { database, config } = service
  const app = new Hono<PageEnv>()
  const pathOf = (c: Context<PageEnv>) => `${door.base(c)}/account`
  const back = (c: Context<PageEnv>, text: string) => redirectWith({ c, service }, pathOf(c), text)

  async function show(c: Context<PageEnv>, refusal?: Refusal): Promise<Response> {
    const { partnerId, owner, sessionId, email } = door.who(c)
    const sessions = await listSessions(database.read, partnerId, owner)
    return door.show(c, { path: pathOf(c), email, sessions, currentId: sessionId, refusal })
  }

  app.get('/', (c) => show(c))

  app.post('/password', async (c) => {
    const form = await readForm(c)
    const { partnerId, owner, email, sessionId } = door.who(c)
    const { address, signal } = visitorOf(c, config.trustedProxies)
    return orAgain(
      c,
      async () => {
        await changePassword(service, partnerId, owner, {
          current: form.raw('current'),
          password: form.raw('password'),
          email,
          sessionId,
          requestId: c.get('requestId'),
          address,
          signal
        })
        return back(c, 'Your password is changed. Every other session has ended.')
      },
      (refusal) => show(c, refusal)
    )
  })

  app.post('/sessions/end-others', async (c) => {
    const { partnerId, owner, sessionId } = door.who(c)
    await database.transaction((tx) => endSessions(tx, partnerId, owner, sessionId))
    return back(c, 'You are signed out everywhere else.')
  })

  app.post('/sessions/end-all', async (c) => {
    const { partnerId, owner } = door.who(c)
    await database.transaction((tx) => endSessions(tx, partnerId, owner))
    return c.redirect(`${door.base(c)}/sign-in`, 303)
  })

  app.post('/sessions/:sessionId/end', async (c) => {
    const { partnerId, owner } = door.who(c)
    const sessionId = c.req.param('sessionId')
    const hasEnded = await database.transaction((tx) => endSession(tx, partnerId, owner, sessionId))
    return back(c, hasEnded ? 'That session has ended.' : 'That session had ended already.')
  })
  return app
}

// One's own account, the same at both doors: who one is, the password, and where one is signed in.
interface AccountProps {
  /** Where the page stands; its forms lie below. */
  path: string
  you: { term: string; value: Child }[]
  /** Beside who one is. */
  youAction?: Child
  email: string
  sessions: readonly ListedSession[]
  /** The session that shows this page. */
  currentId: string
  refusal?: Refusal | undefined
}

const Account: FC<AccountProps> = ({ path, you, youAction, email, sessions, currentId, refusal }) => (
  <Stack>
    <Card title="You" action={youAction}>
      <DescriptionList items={you} />
    </Card>
    <Card title="Password" description="Changing it signs you out everywhere else.">
      <Form action={`${path}/password`}>
        <FormError refusal={refusal} />
        <input type="text" name="username" value={email} autocomplete="username" hidden />
        <Field
          label="Present password"
          name="current"
          type="password"
          required
          autocomplete="current-password"
          error={fieldError(refusal, 'current')}
        />
        <NewPasswordField error={fieldError(refusal, 'password')} />
        <Submit>Change the password</Submit>
      </Form>
    </Card>
    <Card title="Where you are signed in" description="End what you don’t know, and change your password.">
      <Stack>
        <Table
          caption="Your sessions"
          columns={[
            'Browser',
            'Last seen',
            { title: 'Signed in', narrow: 'hide' },
            { title: 'Actions', hidden: true }
          ]}
          rows={sessions.map((session) => sessionRow(path, session, session.id === currentId))}
          empty={null}
        />
        <Row>
          {sessions.length > 1 ? (
            <Form action={`${path}/sessions/end-others`}>
              <Button kind="plain">Sign out everywhere else</Button>
            </Form>
          ) : null}
          <ConfirmButton
            label="Sign out everywhere"
            title="Sign out everywhere?"
            text="This browser is signed out, too. You sign in again with your password."
            action={`${path}/sessions/end-all`}
            confirmLabel="Sign out everywhere"
          />
        </Row>
      </Stack>
    </Card>
  </Stack>
)

const sessionRow = (
  path: string,
  { id, userAgent, lastSeenAt, createdAt }: ListedSession,
  isThis: boolean
) => ({
  key: id,
  cells: [
    browserName(userAgent),
    isThis ? <Badge tone="good">This browser</Badge> : <Time iso={lastSeenAt} />,
    <Time iso={createdAt} />,
    isThis ? null : (
      <Form action={`${path}/sessions/${id}/end`}>
        <Button kind="plain" label={`Sign out: ${browserName(userAgent)}`}>
          Sign out
        </Button>
      </Form>
    )
  ]
})
