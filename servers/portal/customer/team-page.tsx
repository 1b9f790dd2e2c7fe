import type { Context } from 'hono'
import type { FC } from 'hono/jsx'
import type { z } from 'zod'
import { AddTeamMember, type TeamMember as TeamMemberSchema } from '../../../schemas/team-member.ts'
import { emailKey } from '../../../src/customers/email.ts'
import type { PageEnv } from '../env.ts'
import { fieldError, type Refusal } from '../forms.ts'
import { portalFrame } from '../frames.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { ConfirmButton } from '../ui/confirm.tsx'
import { EmptyState } from '../ui/empty.tsx'
import { Field, Select } from '../ui/field.tsx'
import { Form, FormActions, FormError } from '../ui/form.tsx'
import { PortalFrame } from '../ui/frame.tsx'
import { Stack } from '../ui/stack.tsx'
import { Table } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'

export type TeamMember = z.output<typeof TeamMemberSchema>

interface TeamPageProps {
  c: Context<PageEnv>
  members: readonly TeamMember[]
  ownerEmail: string
  maxTeamMembers: number
  values?: Record<string, string | string[]> | undefined
  refusal?: Refusal | undefined
}

export const TeamPage: FC<TeamPageProps> = ({ c, members, ownerEmail, maxTeamMembers, values, refusal }) => (
  <PortalFrame {...portalFrame(c)} title="Team" current="team">
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
      {members.length < maxTeamMembers || refusal ? (
        <InviteForm c={c} values={values} refusal={refusal} />
      ) : (
        <Card
          title="Your team is full"
          description={`Remove somebody to invite another, or ask ${c.get('site').look.name} for more places.`}
        />
      )}
    </Stack>
  </PortalFrame>
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

const InviteForm: FC<Pick<TeamPageProps, 'c' | 'values' | 'refusal'>> = ({ c, values = {}, refusal }) => {
  const typed = (name: string) => (typeof values[name] === 'string' ? values[name] : undefined)
  return (
    <Card
      title="Invite somebody"
      description="They get a mail with a link that lets them choose a password. It works for seven days."
    >
      <Form action={`${c.get('site').base}/team/invite`}>
        <FormError refusal={refusal} />
        <Field
          label="Name"
          name="name"
          required
          maxlength={AddTeamMember.shape.name.maxLength ?? undefined}
          value={typed('name')}
          autocomplete="off"
          error={fieldError(refusal, 'name')}
        />
        <Field
          label="E-mail"
          name="email"
          type="email"
          required
          value={typed('email')}
          autocomplete="off"
          error={fieldError(refusal, 'email')}
        />
        <Select
          label="Role"
          name="role"
          value={typed('role')}
          options={[
            { value: 'member', label: 'Member: reads and asks' },
            { value: 'admin', label: 'Admin: manages memory, team and agents too' }
          ]}
          error={fieldError(refusal, 'role')}
        />
        <FormActions>
          <Button>Send invite</Button>
        </FormActions>
      </Form>
    </Card>
  )
}
