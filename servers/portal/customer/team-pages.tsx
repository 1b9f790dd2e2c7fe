// The customer's team: who is in it, inviting and removing.
import { type Context, Hono } from 'hono'
import type { FC } from 'hono/jsx'
import { Acknowledgement } from '../../../schemas/envelope.ts'
import { type TeamMember, TeamMemberList, TeamMemberResult } from '../../../schemas/team-member.ts'
import { emailKey } from '../../../src/customers/email.ts'
import { ServiceError } from '../../../src/errors.ts'
import type { Service } from '../../../src/service.ts'
import { addTeamMember, listTeamMembersOperation, removeTeamMember } from '../../../src/team/operations.ts'
import { page } from '../answer.tsx'
import type { PageEnv } from '../env.ts'
import type { Form } from '../forms.ts'
import { PortalPage } from '../frames.tsx'
import { InviteForm, MemberTable } from '../members.tsx'
import { Card, EmptyState, Stack } from '../ui/layout.tsx'
import { done, run, submitted, type Tried, type Visit } from '../visit.ts'
import { readOwnCustomer } from './reads.ts'
import { refusedIn } from './refused.ts'

export function teamPages(service: Service): Hono<PageEnv> {
  const app = new Hono<PageEnv>()
  const back = (c: Context<PageEnv>, text: string) => done({ c, service }, `${c.get('site').base}/team`, text)

  async function show(c: Context<PageEnv>, tried?: Tried): Promise<Response> {
    const members = await readTeam({ c, service })
    const { email, maxTeamMembers } = await readOwnCustomer({ c, service })
    const shown = { c, members, ownerEmail: email, maxTeamMembers, tried }
    return page(c, <TeamPage {...shown} />, tried?.refusal.status ?? 200)
  }

  app.get('/', (c) => show(c))
  app.post('/invite', (c) => {
    const visit = { c, service }
    const submission = {
      async act(form: Form) {
        const input = {
          name: form.text('name'),
          email: form.text('email'),
          role: form.text('role') === 'admin' ? 'admin' : 'member'
        }
        const { data } = await run(visit, addTeamMember, TeamMemberResult, input, form)
        return back(c, `The invite to ${data.email} is on its way.`)
      },
      again: (tried: Tried) => show(c, tried)
    }
    return submitted(visit, submission, refusedIn(INVITE_LABELS))
  })
  app.post('/members/:teamMemberId/remove', async (c) => {
    const visit = { c, service }
    const teamMemberId = c.req.param('teamMemberId')
    const member = (await readTeam(visit)).find(({ id }) => id === teamMemberId)
    if (member && isSame(member, c.get('visitor').email)) {
      throw new ServiceError(
        'missing_scope',
        'You can’t remove yourself. Ask the account’s owner or another admin.'
      )
    }
    await run(visit, removeTeamMember, Acknowledgement, { teamMemberId })
    return back(c, `${member?.name ?? 'The member'} was removed and signed out everywhere.`)
  })
  return app
}

export const readTeam = async (visit: Visit): Promise<TeamMember[]> =>
  (await run(visit, listTeamMembersOperation, TeamMemberList)).data

const INVITE_LABELS = { name: 'The name', email: 'The e-mail address', role: 'The role' }

interface TeamPageProps {
  c: Context<PageEnv>
  members: readonly TeamMember[]
  ownerEmail: string
  maxTeamMembers: number
  tried?: Tried | undefined
}

const TeamPage: FC<TeamPageProps> = ({ c, members, ownerEmail, maxTeamMembers, tried }) => (
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
      {members.length < maxTeamMembers || tried ? (
        <Card
          title="Invite somebody"
          description="They get a mail with a link that lets them choose a password. It works for seven days."
        >
          <InviteForm
            action={`${c.get('site').base}/team/invite`}
            tried={tried}
            refusal={tried?.refusal}
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
