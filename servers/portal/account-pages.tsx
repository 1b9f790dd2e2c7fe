// One's own account, the same on both sites: who one is, the password, and where one is signed in.
import { PARTNER_ROLES } from '../../schemas/partner-user.ts'
import { endApps, listApps } from '../../src/connected-apps/store.ts'
import { say } from '../../src/language/say.ts'
import { membershipsOf } from '../../src/portal-access/memberships.ts'
import { endSession, endSessions, listSessions } from '../../src/portal-access/sessions.ts'
import { changePassword } from '../../src/portal-access/set-password.ts'
import { AppCard } from './belongings/apps.tsx'
import type { FormState } from './form-state.ts'
import { ROLE_NAMES } from './frames.tsx'
import { baseOf, type Page, type PageContext, showPage } from './page-kit.tsx'
import { NewPasswordField, PasswordField } from './password-forms.tsx'
import { FactsCard } from './ui/cards.tsx'
import { ActButton, ConfirmButton, Form, PlainLink, Submit } from './ui/form.tsx'
import { Card, Row, Stack } from './ui/layout.tsx'
import { hidden, ifWide, Table } from './ui/table.tsx'
import { Badge, Time } from './ui/values.tsx'
import { visitOf } from './visitors.ts'

const accountPage: Page = {
  show: showAccount,
  forms: {
    async password(context, form) {
      const { c, service } = context
      const passwords = { current: form.raw('current'), password: form.raw('password') }
      await changePassword(service, viewerOf(context), passwords, visitOf(c, service))
      return {
        message: say('Your password is changed. Every other session has ended, and every connected app.')
      }
    }
  },
  buttons: {
    async 'sessions/end-others'(context) {
      const { partnerId, person, session } = viewerOf(context)
      await context.service.database.transaction((tx) => endSessions(tx, partnerId, person, session.id))
      return { message: say('You are signed out everywhere else.') }
    },
    async 'sessions/end-all'(context) {
      const { partnerId, person } = viewerOf(context)
      await context.service.database.transaction((tx) => endSessions(tx, partnerId, person))
      return context.c.redirect(`${baseOf(context.c)}/sign-in`, 303)
    },
    async 'apps/:appId/end'(context) {
      const { partnerId, person, caller } = viewerOf(context)
      const which = { id: context.c.req.param('appId') ?? '', ...person }
      const { database } = context.service
      const by = { actor: caller.actor, requestId: context.c.get('requestId') }
      const hasEnded = (await database.transaction((tx) => endApps(tx, partnerId, which, by))) > 0
      return {
        message: hasEnded ? say('The app was disconnected.') : say('That app was disconnected already.')
      }
    },
    async 'sessions/:sessionId/end'(context) {
      const { partnerId, person } = viewerOf(context)
      const id = context.c.req.param('sessionId') ?? ''
      const { database } = context.service
      const hasEnded = await database.transaction((tx) => endSession(tx, partnerId, person, id))
      return { message: hasEnded ? say('That session has ended.') : say('That session had ended already.') }
    }
  }
}

export const accountPages = { '/account': accountPage }

const viewerOf = ({ c }: PageContext) => c.get('visitor') ?? c.get('consoleVisitor')

async function showAccount(context: PageContext, state?: FormState): Promise<Response> {
  const { partnerId, person, session, email } = viewerOf(context)
  const path = `${baseOf(context.c)}/account`
  const sessions = await listSessions(context.service.database.read, partnerId, person)
  const apps = await listApps(context.service.database.read, partnerId, person)
  const { you, action } = await whoOneIs(context)
  return showPage(
    context,
    { title: say('Account'), current: 'account', state },
    <Stack>
      <FactsCard title={say('You')} action={action} items={you} />
      <Card
        title={say('Two-step sign-in')}
        description={say('After the password, a code of an app on your phone or a passkey.')}
        action={<PlainLink href={`${path}/factor`}>{say('Set up or change')}</PlainLink>}
      />
      <Card
        title={say('Password')}
        description={say('Changing it signs you out everywhere else, and disconnects your apps.')}
      >
        <Form action={`${path}/password`}>
          <input type="text" name="username" value={email} autocomplete="username" hidden />
          <PasswordField name="current" label={say('Present password')} state={state} />
          <NewPasswordField state={state} />
          <Submit>{say('Change the password')}</Submit>
        </Form>
      </Card>
      <AppCard
        description={say(
          'You signed in and let these in. Each acts for you, until you disconnect it or change your password.'
        )}
        of={apps}
        actionOf={({ appId }) => `${path}/apps/${appId}/end`}
        isOwn
      />
      <Card
        title={say('Where you are signed in')}
        description={say('End what you don’t know, and change your password.')}
      >
        <Stack>
          <Table
            caption={say('Your sessions')}
            columns={[
              say('Browser'),
              say('Last seen'),
              ifWide({ title: say('Signed in') }),
              hidden(say('Actions'))
            ]}
            rows={sessions.map((listed) => sessionRow(path, listed, listed.id === session.id))}
          />
          <Row>
            {sessions.length > 1 ? (
              <ActButton action={`${path}/sessions/end-others`}>{say('Sign out everywhere else')}</ActButton>
            ) : null}
            <ConfirmButton
              label={say('Sign out everywhere')}
              title={say('Sign out everywhere?')}
              text={say('This browser is signed out, too. You sign in again with your password.')}
              action={`${path}/sessions/end-all`}
            />
          </Row>
        </Stack>
      </Card>
    </Stack>
  )
}

async function whoOneIs({ c, service }: PageContext) {
  const visitor = c.get('visitor')
  if (!visitor) {
    const { email, partnerName, name, caller } = c.get('consoleVisitor')
    const { label, help } = PARTNER_ROLES[caller.role]
    return {
      you: [
        { term: 'Name', value: name },
        { term: 'E-mail', value: email },
        { term: 'Partner', value: partnerName },
        { term: 'Role', value: `${label}: ${help}` }
      ]
    }
  }
  const { partnerId, person, customerId, name, email, role } = visitor
  const memberships = await membershipsOf(service.database.read, partnerId, person.identityId)
  const here = memberships.find((membership) => membership.customerId === customerId)
  return {
    you: [
      { term: say('Name'), value: name === email ? null : name },
      { term: say('E-mail'), value: email },
      { term: say('Account'), value: here?.customerName },
      { term: say('Role'), value: say(ROLE_NAMES[role]) }
    ],
    action: memberships.length > 1 && (
      <PlainLink href={`${baseOf(c)}/choose`}>{say('Switch account')}</PlainLink>
    )
  }
}

const sessionRow = (
  path: string,
  { id, userAgent, lastSeenAt, createdAt }: Awaited<ReturnType<typeof listSessions>>[number],
  isThis: boolean
) => ({
  cells: [
    browserName(userAgent),
    isThis ? <Badge tone="good">{say('This browser')}</Badge> : <Time iso={lastSeenAt} />,
    <Time iso={createdAt} />,
    isThis ? null : (
      <ActButton
        action={`${path}/sessions/${id}/end`}
        label={say('Sign out: {browser}', { browser: browserName(userAgent) })}
      >
        {say('Sign out')}
      </ActButton>
    )
  ]
})

/** From the most telling part on, because every browser claims to be the older ones, too. */
const BROWSERS: [mark: RegExp, name: string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl']
]

const SYSTEMS: [mark: RegExp, name: string][] = [
  [/\b(iPhone|iPod)\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux']
]

/** What a User-Agent calls itself, as its owner would: `Firefox on Windows`. */
export function browserName(userAgent: string): string {
  const browser = BROWSERS.find(([mark]) => mark.test(userAgent))?.[1]
  const system = SYSTEMS.find(([mark]) => mark.test(userAgent))?.[1]
  if (!browser) return system ? say('Unknown browser on {system}', { system }) : say('Unknown browser')
  return system ? say('{browser} on {system}', { browser, system }) : browser
}
