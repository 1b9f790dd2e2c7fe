// The partner's own people: who may sign in to this console, and as what.
import type { FC } from 'hono/jsx'
import {
  InvitePartnerUser,
  PARTNER_ROLE_NAMES,
  PARTNER_ROLES,
  type PartnerUser
} from '../../../schemas/partner-user.ts'
import {
  invitePartnerUser,
  listPartnerUsersOperation,
  removePartnerUser,
  resendPartnerUser,
  resetPartnerUserFactors,
  signOutPartnerUser,
  updatePartnerUser
} from '../../../src/partners/user-operations.ts'
import { LostPhone } from '../console-customers/words.tsx'
import { FieldControls, fieldsOf, typedInput } from '../field-control.tsx'
import { callOperation, type Page, type PageContext, showPage } from '../page-kit.tsx'
import { ConfirmButton, FormCard } from '../ui/form.tsx'
import { Card, DescriptionList, Row } from '../ui/layout.tsx'
import { hidden, Table } from '../ui/table.tsx'
import { Badge, Time } from '../ui/values.tsx'
import { pathTo } from './address.ts'

const { name, email, role } = InvitePartnerUser.shape
const FIELDS = fieldsOf({ name, email, role })

export const teamPage: Page = {
  async show(context, state) {
    const { data } = await callOperation(context, listPartnerUsersOperation)
    return showPage(
      context,
      { title: 'Team', current: 'team', state },
      <>
        <Table
          caption="Who may sign in to this console"
          columns={['Name', 'E-mail', 'Role', 'State', 'Last signed in', hidden('Actions')]}
          rows={data.map((user) => ({
            cells: [
              <bdi>{user.name || user.email}</bdi>,
              <bdi>{user.email}</bdi>,
              PARTNER_ROLES[user.role].label,
              <UserState of={user} />,
              <Time iso={user.lastSignInAt} />,
              <Actions {...{ context, user }} />
            ]
          }))}
        />
        <FormCard
          title="Invite somebody"
          description="They get a mail with a link that lets them choose a password. It works for seven days."
          sendsTo={pathTo('team', 'invite')}
          verb="Send invite"
        >
          <FieldControls of={FIELDS} choices={{ role: rolesFor(context) }} state={state} />
        </FormCard>
        <Card title="What each role may do">
          <DescriptionList
            items={Object.values(PARTNER_ROLES).map(({ label, help }) => ({ term: label, value: help }))}
          />
        </Card>
      </>
    )
  },
  forms: {
    invite: (context, form) => callOperation(context, invitePartnerUser, typedInput(form, FIELDS), form)
  },
  buttons: {
    ':partnerUserId/update'(context, form) {
      const given = { name: form.text('name'), role: form.text('role') }
      return callOperation(context, updatePartnerUser, { ...context.c.req.param(), ...given })
    },
    ':partnerUserId/resend': (context, form) =>
      callOperation(context, resendPartnerUser, context.c.req.param(), form),
    ':partnerUserId/sign-out': (context) => callOperation(context, signOutPartnerUser, context.c.req.param()),
    ':partnerUserId/reset-factors': (context) =>
      callOperation(context, resetPartnerUserFactors, context.c.req.param()),
    ':partnerUserId/remove': (context) => callOperation(context, removePartnerUser, context.c.req.param())
  }
}

/** Those that who is signed in may give and take: owners alone decide who is one. The least comes first. */
const rolesFor = ({ c }: PageContext) =>
  PARTNER_ROLE_NAMES.filter((one) => one !== 'owner' || c.get('consoleVisitor').caller.role === 'owner')
    .map((value) => ({ value, label: PARTNER_ROLES[value].label }))
    .toReversed()

const UserState: FC<{ of: PartnerUser }> = ({ of: { isActive, invitedUntil } }) => {
  if (isActive) return <Badge tone="good">Active</Badge>
  if (invitedUntil === null) return <Badge tone="bad">Invite ran out</Badge>
  return (
    <div>
      <Badge tone="warn">Invited</Badge> ends <Time iso={invitedUntil} />
    </div>
  )
}

const Actions: FC<{ context: PageContext; user: PartnerUser }> = ({ context, user }) => {
  const { partnerUserId, email, isActive } = user
  const who = user.name || email
  const at = (act: string) => pathTo('team', partnerUserId, act)
  const isOneself = context.c.get('consoleVisitor').person.partnerUserId === partnerUserId
  const roles = rolesFor(context)
  const mayDecide = !isOneself && roles.some(({ value }) => value === user.role)
  const asked = FIELDS.filter((field) => field.name === 'name' || (field.name === 'role' && mayDecide))
  const fields = <FieldControls of={asked} saved={user} choices={{ role: roles }} state={undefined} />
  return (
    <Row>
      <ConfirmButton
        kind="plain"
        label="Change"
        title={`Change ${who}`}
        text={fields}
        action={at('update')}
        confirmLabel="Save"
      />
      {isActive ? null : (
        <ConfirmButton
          kind="plain"
          label="Send again"
          title={`Send ${who} the invite again?`}
          text={`A new link goes to ${email} and works for seven days. The first one ends.`}
          action={at('resend')}
        />
      )}
      {isOneself || !isActive ? null : (
        <ConfirmButton
          kind="plain"
          label="Sign out"
          title={`Sign ${who} out everywhere?`}
          text="All of their sessions end. They sign in again with their password."
          action={at('sign-out')}
        />
      )}
      {mayDecide && user.hasFactor ? <LostPhone who={who} action={at('reset-factors')} /> : null}
      {mayDecide ? (
        <ConfirmButton
          label="Remove"
          title={`Remove ${who}?`}
          text="They are signed out at once, and their connected apps end. API keys work on: those are yours."
          action={at('remove')}
        />
      ) : null}
    </Row>
  )
}
