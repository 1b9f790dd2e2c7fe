// One customer's team: who may sign in to its portal beside the owner.
import type { FC } from 'hono/jsx'
import { Acknowledgement } from '../../../schemas/envelope.ts'
import { TeamMemberList, TeamMemberResult } from '../../../schemas/team-member.ts'
import { addTeamMember, listTeamMembersOperation, removeTeamMember } from '../../../src/team/operations.ts'
import { InviteForm, MemberTable } from '../members.tsx'
import { FormError } from '../ui/form.tsx'
import { Card, EmptyState } from '../ui/layout.tsx'
import { errorAbove, runFor, type Tried } from '../visit.ts'
import {
  answerPart,
  type CustomerVisit,
  type PartPages,
  parameter,
  type ShownCustomer
} from './customer-page.tsx'
import { customerPath } from './paths.ts'

export const teamPart: PartPages = {
  show: answerTeam,
  forms: {
    invite(visited, form) {
      const input = {
        name: form.raw('name').trim(),
        email: form.raw('email').trim(),
        role: form.text('role')
      }
      return runFor(visited, addTeamMember, TeamMemberResult, input, form)
    },
    ':teamMemberId/remove'(visited) {
      const input = { teamMemberId: parameter(visited, 'teamMemberId') }
      return runFor(visited, removeTeamMember, Acknowledgement, input)
    }
  }
}

async function answerTeam(visited: CustomerVisit, tried?: Tried): Promise<Response> {
  const { customer } = visited
  const { data } = await runFor(visited, listTeamMembersOperation, TeamMemberList)
  return answerPart(visited, {
    part: 'team',
    tried,
    children: (
      <>
        <FormError refusal={errorAbove(tried, ['name', 'email', 'role'])} />
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
        <Invite customer={customer} isFull={data.length >= customer.maxTeamMembers} tried={tried} />
      </>
    )
  })
}

const Invite: FC<{ customer: ShownCustomer; isFull: boolean; tried: Tried | undefined }> = ({
  customer,
  isFull,
  tried
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
        tried={tried}
        adminLabel="Admin: also remembers, forgets, and runs team and tokens"
      />
    </Card>
  )
}
