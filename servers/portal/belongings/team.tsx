// A customer's team, in the console and in its own portal: who is in it, inviting and removing.
import type { FC } from 'hono/jsx'
import { AddTeamMember, type TeamMember } from '../../../schemas/team-member.ts'
import { emailKey } from '../../../src/customers/email.ts'
import { getCustomerOperation } from '../../../src/customers/operations.ts'
import { ServiceError } from '../../../src/errors.ts'
import { say, type Text } from '../../../src/language/say.ts'
import { resetCustomerFactors } from '../../../src/portal-access/security-operations.ts'
import {
  addTeamMember,
  listTeamMembersOperation,
  removeTeamMember,
  resendTeamInvite
} from '../../../src/team/operations.ts'
import { answerPart, type ShownCustomer } from '../console-customers/customer-page.tsx'
import { customerPath, LostPhone } from '../console-customers/words.tsx'
import { FieldControls, fieldsOf, typedInput } from '../field-control.tsx'
import type { FormState } from '../form-state.ts'
import type { Form as SentForm } from '../forms.ts'
import { callOperation, type Outcome, type Page, type PageContext, showPage } from '../page-kit.tsx'
import { ActButton, ConfirmButton, FormCard } from '../ui/form.tsx'
import { Card, EmptyState, Row } from '../ui/layout.tsx'
import { atEnd, hidden, ifWide, Table } from '../ui/table.tsx'
import { Badge, counted, Time } from '../ui/values.tsx'

const formsAt = (member: string) => ({
  invite,
  [`${member}/remove`]: remove,
  [`${member}/resend`]: resend
})

export const consoleTeam: Page = {
  show,
  forms: formsAt(':teamMemberId'),
  buttons: {
    ':teamMemberId/reset-factors': (context) =>
      callOperation(context, resetCustomerFactors, context.c.req.param())
  }
}

export const portalTeam: Page = { show, forms: formsAt('members/:teamMemberId') }

async function show(context: PageContext, state?: FormState): Promise<Response> {
  const { data: members } = await callOperation(context, listTeamMembersOperation)
  const customer = context.customer ?? (await callOperation(context, getCustomerOperation)).data
  const { email, maxTeamMembers } = customer
  const taken = { count: members.length, places: maxTeamMembers, email }
  const isFull = members.length >= maxTeamMembers
  const shown = (
    <>
      <Card
        title={say('Members')}
        description={
          context.customer
            ? `${members.length} of ${counted(maxTeamMembers, 'place is', 'places are')} taken.`
            : say(
                '{places, plural, one {{count} of # place is taken.} other {{count} of # places are taken.}} {email} owns the account and needs none.',
                taken
              )
        }
      >
        <MemberTable context={context} members={members} />
      </Card>
      <Invite context={context} customer={customer} isFull={isFull} state={state} />
    </>
  )
  return context.customer
    ? answerPart({ ...context, customer }, { part: 'team', state, children: shown })
    : showPage(context, { title: say('Team'), current: 'team', state }, shown)
}

const addressOf = ({ c, customer }: PageContext, ...below: string[]): string =>
  customer ? customerPath(customer.id, 'team', ...below) : [c.get('portal').base, 'team', ...below].join('/')

const memberPath = (context: PageContext, { id }: TeamMember, act: string): string =>
  addressOf(context, ...(context.customer ? [] : ['members']), id, act)

async function invite(context: PageContext, form: SentForm): Promise<Outcome> {
  const input = { ...typedInput(form, INVITE), role: form.text('role') === 'admin' ? 'admin' : 'member' }
  const { data } = await callOperation(context, addTeamMember, input, form)
  return { message: say('The invite to {email} is on its way.', { email: data.email }) }
}

async function resend(context: PageContext, form: SentForm): Promise<Outcome> {
  await callOperation(context, resendTeamInvite, { teamMemberId: context.c.req.param('teamMemberId') }, form)
  return { message: say('A new invite is on its way. The one before no longer works.') }
}

async function remove(context: PageContext): Promise<Outcome> {
  const { data: members } = await callOperation(context, listTeamMembersOperation)
  const { teamMemberId } = context.c.req.param()
  const member = members.find(({ id }) => id === teamMemberId)
  if (member && isVisitor(context, member)) {
    throw new ServiceError(
      'missing_scope',
      'You can’t remove yourself. Ask the account’s owner or another admin.'
    )
  }
  await callOperation(context, removeTeamMember, { teamMemberId })
  return {
    message: member
      ? say('{name} was removed and signed out everywhere.', { name: member.name })
      : say('The member was removed and signed out everywhere.')
  }
}

/** An identity has one e-mail address at a partner, and a team has each address once. */
const isVisitor = ({ c, customer }: PageContext, member: TeamMember): boolean =>
  customer === undefined && emailKey(member.email) === emailKey(c.get('visitor').email)

const ROLES: Record<string, Text> = { admin: 'Admin', member: 'Member' }

/** Any other is a word that its partner has for it. */
function roleText(role: string): string {
  const known = ROLES[role]
  return known === undefined ? role : say(known)
}

const MemberTable: FC<{ context: PageContext; members: readonly TeamMember[] }> = ({ context, members }) => (
  <Table
    caption={say('Team members')}
    columns={[
      say('Name'),
      say('E-mail'),
      say('Role'),
      say('State'),
      ifWide(atEnd(say('Invited'))),
      hidden(say('Actions'))
    ]}
    rows={members.map((member) => ({
      cells: [
        <bdi>{member.name}</bdi>,
        <bdi>{member.email}</bdi>,
        <bdi>{roleText(member.role)}</bdi>,
        member.status === 'active' ? (
          <Badge tone="good">{say('active')}</Badge>
        ) : (
          <Badge tone="warn">{say('invited')}</Badge>
        ),
        <Time iso={member.createdAt} />,
        // Nobody locks themselves out.
        isVisitor(context, member) ? (
          <span class="none">{say('you')}</span>
        ) : (
          <Row>
            {member.status === 'pending' ? (
              <ActButton
                action={memberPath(context, member, 'resend')}
                label={say('Send again: {email}', { email: member.email })}
              >
                {say('Send again')}
              </ActButton>
            ) : null}
            {context.customer && member.status === 'active' ? (
              <LostPhone who={member.name} action={memberPath(context, member, 'reset-factors')} />
            ) : null}
            <ConfirmButton
              label={say('Remove')}
              title={say('Remove {name}?', { name: member.name })}
              text={say('{email} is signed out at once and can no longer sign in, and an open invite ends.', {
                email: member.email
              })}
              action={memberPath(context, member, 'remove')}
            />
          </Row>
        )
      ]
    }))}
    empty={{
      title: context.customer ? 'Nobody is in this team' : say('Nobody but you yet'),
      text: say(
        'Members sign in to the same portal as the account’s owner, to read the memory and ask it, or to manage it, too.'
      )
    }}
  />
)

interface InviteProps {
  context: PageContext
  customer: ShownCustomer
  isFull: boolean
  state: FormState | undefined
}

const Invite: FC<InviteProps> = ({ context, customer, isFull, state }) => {
  const settings = `${customerPath(customer.id, 'details')}#team`
  if (!customer.enableTeamMembers) {
    return (
      <Card title="Invite somebody">
        <EmptyState title="The team is switched off">
          <p>
            Switch it on in the <a href={settings}>details</a> to invite somebody.
          </p>
        </EmptyState>
      </Card>
    )
  }
  // Who was refused for that still has what was filled in.
  if (isFull && !state) {
    return context.customer ? (
      <Card title="The team is full">
        <p>
          Remove a member or <a href={settings}>raise the limit</a> to invite another.
        </p>
      </Card>
    ) : (
      <Card
        title={say('Your team is full')}
        description={say('Remove somebody to invite another, or ask {support} for more places.', {
          support: context.c.get('portal').look.name
        })}
      />
    )
  }
  return (
    <FormCard
      title={say('Invite somebody')}
      sendsTo={addressOf(context, 'invite')}
      description={say(
        'They get a mail with a link that lets them choose a password. It works for seven days.'
      )}
      verb={say('Send invite')}
    >
      <FieldControls of={INVITE} choices={{ role: roleChoices() }} state={state} />
    </FormCard>
  )
}

const { name, email, role } = AddTeamMember.shape
const INVITE = fieldsOf({ name, email, role })

const roleChoices = () => [
  { value: 'member', label: say('Member: reads and asks') },
  { value: 'admin', label: say('Admin: also remembers and forgets, and manages team and tokens') }
]
