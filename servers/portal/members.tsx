// A customer's team, as console and portal list it and invite to it.

import type { Child, FC } from 'hono/jsx'
import { AddTeamMember, type TeamMember } from '../../schemas/team-member.ts'
import { asked, type FormState, type Refusal } from './form-state.ts'
import { Field, Select } from './ui/field.tsx'
import { ConfirmButton, Form, FormError, Submit } from './ui/form.tsx'
import { Table } from './ui/table.tsx'
import { Badge, Time } from './ui/values.tsx'

interface MemberTableProps {
  members: readonly TeamMember[]
  /** What removing means for the member, and where that is asked for; nothing where nobody can do it. */
  removal: (member: TeamMember) => { text: string; action: string } | undefined
  empty: Child
}

export const MemberTable: FC<MemberTableProps> = ({ members, removal, empty }) => (
  <Table
    caption="Team members"
    columns={[
      'Name',
      'E-mail',
      'Role',
      'State',
      { title: 'Invited', align: 'end', narrow: 'hide' },
      { title: 'Actions', hidden: true }
    ]}
    rows={members.map((member) => ({
      key: member.id,
      cells: [
        <bdi>{member.name}</bdi>,
        <bdi>{member.email}</bdi>,
        <bdi>{ROLES[member.role] ?? member.role}</bdi>,
        member.status === 'active' ? <Badge tone="good">active</Badge> : <Badge tone="warn">invited</Badge>,
        <Time iso={member.createdAt} />,
        <RemoveButton member={member} removal={removal(member)} />
      ]
    }))}
    empty={empty}
  />
)

const ROLES: Record<string, string> = { admin: 'Admin', member: 'Member' }

const RemoveButton: FC<{
  member: TeamMember
  removal: { text: string; action: string } | undefined
}> = ({ member, removal }) =>
  removal ? (
    <ConfirmButton label="Remove" title={`Remove ${member.name}?`} {...removal} confirmLabel="Remove" />
  ) : (
    <span class="none">you</span>
  )

interface InviteFormProps {
  action: string
  state: FormState | undefined
  /** Shown above the fields. */
  refusal?: Refusal | undefined
  /** What the role of an admin is for, to whom the form is shown. */
  adminLabel: string
}

export const InviteForm: FC<InviteFormProps> = ({ action, state, refusal, adminLabel }) => (
  <Form action={action}>
    <FormError refusal={refusal} />
    <Field
      {...asked(state, 'name', 'Name')}
      maxlength={AddTeamMember.shape.name.maxLength ?? undefined}
      autocomplete="off"
      required
    />
    <Field {...asked(state, 'email', 'E-mail')} type="email" maxlength={254} autocomplete="off" required />
    <Select
      {...asked(state, 'role', 'Role', 'member')}
      options={[
        { value: 'member', label: 'Member: reads and asks' },
        { value: 'admin', label: adminLabel }
      ]}
    />
    <Submit>Send invite</Submit>
  </Form>
)
