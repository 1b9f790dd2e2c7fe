// The customer's team: who is in it, inviting and removing.

import { type Context, Hono } from 'hono'
import type { FC } from 'hono/jsx'
import type { TeamMember } from '../../../schemas/team-member.ts'
import { emailKey } from '../../../src/customers/email.ts'
import { ServiceError } from '../../../src/errors.ts'
import type { Service } from '../../../src/service.ts'
import { addTeamMember, listTeamMembersOperation, removeTeamMember } from '../../../src/team/operations.ts'
import { page } from '../answer.tsx'
import type { PageEnv } from '../env.ts'
import type { FormState } from '../form-state.ts'
import type { Form } from '../forms.ts'
import { PortalPage } from '../frames.tsx'
import { InviteForm, MemberTable } from '../members.tsx'
import { callOperation, type PageContext, redirectWith, submitForm } from '../page-kit.tsx'
import { Card, EmptyState, Stack } from '../ui/layout.tsx'
import { readOwnCustomer } from './reads.ts'

export function teamPages(service: Service): Hono<PageEnv> {
  const app = new Hono<PageEnv>()
  const back = (c: Context<PageEnv>, text: string) =>
    redirectWith({ c, service }, `${c.get('site').base}/team`, text)

  async function show(c: Context<PageEnv>, state?: FormState): Promise<Response> {
    const members = await readTeam({ c, service })
    const { email, maxTeamMembers } = await readOwnCustomer({ c, service })
    const shown = { c, members, ownerEmail: email, maxTeamMembers, state }
    return page(c, <TeamPage {...shown} />, state?.refusal?.status ?? 200)
  }

  app.get('/', (c) => show(c))
  app.post('/invite', (c) => {
    const context = { c, service }
    const submission = {
      async act(form: Form) {
        const input = {
          name: form.text('name'),
          email: form.text('email'),
          role: form.text('role') === 'admin' ? 'admin' : 'member'
        }
        const { data } = await callOperation(context, addTeamMember, input, form)
        return back(c, `The invite to ${data.email} is on its way.`)
      },
      again: (state: FormState) => show(c, state)
    }
    return submitForm(context, submission)
  })
  app.post('/members/:teamMemberId/remove', async (c) => {
    const context = { c, service }
    const teamMemberId = c.req.param('teamMemberId')
    const member = (await readTeam(context)).find(({ id }) => id === teamMemberId)
    if (member && isSame(member, c.get('visitor').email)) {
      throw new ServiceError(
        'missing_scope',
        'You can’t remove yourself. Ask the account’s owner or another admin.'
      )
    }
    await callOperation(context, removeTeamMember, { teamMemberId })
    return back(c, `${member?.name ?? 'The member'} was removed and signed out everywhere.`)
  })
  return app
}

export const readTeam = async (context: PageContext): Promise<TeamMember[]> =>
  (await callOperation(context, listTeamMembersOperation)).data

const _INVITE_LABELS = { name: 'The name', email: 'The e-mail address', role: 'The role' }

interface TeamPageProps {
  c: Context<PageEnv>
  members: readonly TeamMember[]
  ownerEmail: string
  maxTeamMembers: number
  state?: FormState | undefined
}

const TeamPage: FC<TeamPageProps> = ({ c, members, ownerEmail, maxTeamMembers, state }) => (
  <PortalPage c={c} title="Team" current="team">
    <Stack>
      <Card
        title="Members"
        description={`${members.length} of ${maxTeamMembers} places are taken. ${ownerEmail} owns the account and needs none.`}
      >
        <MemberTable
          members={members}
          // Nobody locks themselves out.
          removal={(member) =>
            isSame(member, c.get('visitor').email)
              ? undefined
              : {
                  text: `${member.email} is signed out everywhere at once, and an open invite ends.`,
                  action: `${c.get('site').base}/team/members/${member.id}/remove`
                }
          }
          empty={
            <EmptyState title="Nobody but you yet">
              Invite colleagues to read the memory and ask it, or to manage it with you.
            </EmptyState>
          }
        />
      </Card>
      {members.length < maxTeamMembers || state ? (
        <Card
          title="Invite somebody"
          description="They get a mail with a link that lets them choose a password. It works for seven days."
        >
          <InviteForm
            action={`${c.get('site').base}/team/invite`}
            state={state}
            refusal={state?.refusal}
            adminLabel="Admin: manages memory, team and agents too"
          />
        </Card>
      ) : (
        <Card
          title="Your team is full"
          description={`Remove somebody to invite another, or ask ${c.get('site').look.name} for more places.`}
        />
      )}
    </Stack>
  </PortalPage>
)

/** An identity has one e-mail address at a partner, and a team has each address once. */
const isSame = (member: Pick<TeamMember, 'email'>, email: string): boolean =>
  emailKey(member.email) === emailKey(email)
