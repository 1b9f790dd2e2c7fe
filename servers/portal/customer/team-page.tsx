import type { Context } from 'hono'
import type { FC } from 'hono/jsx'
import type { z } from 'zod'
import type { TeamMember as TeamMemberSchema } from '../../../schemas/team-member.ts'
import { emailKey } from '../../../src/customers/email.ts'
import type { PageEnv } from '../env.ts'
import { PortalPage } from '../frames.tsx'
import { InviteForm } from '../invite-form.tsx'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { ConfirmButton } from '../ui/confirm.tsx'
import { EmptyState } from '../ui/empty.tsx'
import { Stack } from '../ui/stack.tsx'
import { Table } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import type { Tried } from '../visit.ts'

export type TeamMember = z.output<typeof TeamMemberSchema>

interface TeamPageProps {
  c: Context<PageEnv>
  members: readonly TeamMember[]
  ownerEmail: string
  maxTeamMembers: number
  tried?: Tried | undefined
}

export const TeamPage: FC<TeamPageProps> = ({ c, members, ownerEmail, maxTeamMembers, tried }) => (
  <PortalPage c={c} title="Team" current="team">
    <Stack>
      <Card
        title="Members"
        description={`${members.length} of ${maxTeamMembers} places are taken. ${ownerEmail} owns the account and needs none.`}
      >
        <Table
          caption="Team members"
          columns={[
            { title: 'Name' },
            { title: 'E-mail' },
            { title: 'Role' },
            { title: 'State' },
            { title: 'Invited', narrow: 'hide' },
            { title: 'Actions', hidden: true }
          ]}
          rows={members.map((member) => ({
            key: member.id,
            cells: [
              <bdi>{member.name}</bdi>,
              <bdi>{member.email}</bdi>,
              <bdi>{ROLES[member.role] ?? member.role}</bdi>,
              member.status === 'active' ? (
                <Badge tone="good">active</Badge>
              ) : (
                <Badge tone="warn">invited</Badge>
              ),
              <Time iso={member.createdAt} />,
              <RemoveButton c={c} member={member} />
            ]
          }))}
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
export const isSame = (member: Pick<TeamMember, 'email'>, email: string): boolean =>
  emailKey(member.email) === emailKey(email)

const ROLES: Record<string, string> = { admin: 'Admin', member: 'Member' }

/** Nobody locks themselves out. */
const RemoveButton: FC<{ c: Context<PageEnv>; member: TeamMember }> = ({ c, member }) =>
  isSame(member, c.get('visitor').email) ? (
    <span class="none">you</span>
  ) : (
    <ConfirmButton
      label="Remove"
      title={`Remove ${member.name}?`}
      text={`${member.email} is signed out everywhere at once, and an open invite ends.`}
      action={`${c.get('site').base}/team/members/${member.id}/remove`}
      confirmLabel="Remove"
    />
  )
