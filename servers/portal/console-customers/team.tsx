// One customer's team: who may sign in to its portal beside the owner.

import type { FC } from 'hono/jsx'
import { addTeamMember, listTeamMembersOperation, removeTeamMember } from '../../../src/team/operations.ts'
import type { FormState } from '../form-state.ts'
import { InviteForm, MemberTable } from '../members.tsx'
import { callOperation, type Page } from '../page-kit.tsx'
import { Card, EmptyState } from '../ui/layout.tsx'
import { answerPart, type CustomerContext, parameter, type ShownCustomer } from './customer-page.tsx'
import { customerPath } from './paths.ts'

export const teamPart: Page<CustomerContext> = {
  show: answerTeam,
  forms: {
    invite(context, form) {
      const input = {
        name: form.raw('name').trim(),
        email: form.raw('email').trim(),
        role: form.text('role')
      }
      return callOperation(context, addTeamMember, input, form)
    },
    ':teamMemberId/remove'(context) {
      const input = { teamMemberId: parameter(context, 'teamMemberId') }
      return callOperation(context, removeTeamMember, input)
    }
  }
}

async function answerTeam(context: CustomerContext, state?: FormState): Promise<Response> {
  const { customer } = context
  const { data } = await callOperation(context, listTeamMembersOperation)
  return answerPart(context, {
    part: 'team',
    state,
    children: (
      <>
        <Card
          title="Members"
          description={`${data.length} of ${customer.maxTeamMembers} ${customer.maxTeamMembers === 1 ? 'place is' : 'places are'} taken.`}
        >
          <MemberTable
            members={data}
            removal={({ id, email }) => ({
              text: `${email} can no longer sign in to this customer’s portal, and an open invite stops working.`,
              action: customerPath(customer.id, 'team', id, 'remove')
            })}
            empty={
              <EmptyState title="Nobody is in this team">
                <p>Members sign in to the same portal as the customer. Invite the first one below.</p>
              </EmptyState>
            }
          />
        </Card>
        <Invite customer={customer} isFull={data.length >= customer.maxTeamMembers} state={state} />
      </>
    )
  })
}

const Invite: FC<{ customer: ShownCustomer; isFull: boolean; state: FormState | undefined }> = ({
  customer,
  isFull,
  state
}) => {
  const settings = `${customerPath(customer.id, 'details')}#team`
  if (!customer.enableTeamMembers) {
    return (
      <Card title="Invite a member">
        <EmptyState title="The team is switched off">
          <p>
            Switch it on in the <a href={settings}>details</a> to invite somebody.
          </p>
        </EmptyState>
      </Card>
    )
  }
  return (
    <Card
      title="Invite a member"
      description={
        isFull ? (
          <>
            All places are taken. Remove a member or <a href={settings}>raise the limit</a> first.
          </>
        ) : (
          'Mails an invite that works for 7 days.'
        )
      }
    >
      <InviteForm
        action={customerPath(customer.id, 'team', 'invite')}
        state={state}
        adminLabel="Admin: also remembers, forgets, and runs team and tokens"
      />
    </Card>
  )
}
