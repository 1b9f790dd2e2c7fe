import { z } from 'zod'
import { data, doneOf } from './envelope.ts'
import {
  CustomerId,
  createdAt,
  Email,
  RecordId,
  requiredLine,
  StoredEmail,
  said,
  told,
  updatedAt
} from './primitives.ts'

const ID = ['Team member id.', 'tm_7d2f8h4j6l1p9r3s5v0y'] as const
const EMAIL = ['E-mail address, unique in this team.', 'grace@example.com'] as const
const NAME = ['Display name.', 'Grace Hopper'] as const
const ROLE = ['Role label; `admin` may also manage the team and the memory.', 'member'] as const

/** Body of POST …/team-members. `role` is a free label; `admin` alone carries more rights than `member`. */
export const AddTeamMember = z.strictObject({
  customerId: CustomerId,
  email: said(Email, ...EMAIL, { label: 'E-mail' }),
  name: said(requiredLine(200), ...NAME, { label: 'Name' }),
  role: said(requiredLine(50).default('member'), ...ROLE, { label: 'Role' })
})

export const TeamMemberPath = z.strictObject({ customerId: CustomerId, teamMemberId: said(RecordId, ...ID) })

const invited = {
  id: told.text(...ID),
  customerId: told.text('Record id of the owning customer.', 'cus_4k9v2m7x1q8t3w6z0b5n'),
  name: told.text(...NAME),
  email: said(StoredEmail, ...EMAIL),
  role: told.text(...ROLE),
  status: said(
    z.enum(['pending', 'active']),
    '`pending` until the invite is accepted, then `active`.',
    'pending'
  ),
  createdAt
}

export const TeamMember = z.object({ ...invited, updatedAt }).meta({ id: 'TeamMember' })
export type TeamMember = z.output<typeof TeamMember>

export const TeamMemberResult = doneOf(
  'The team member was added and an invite is on its way.',
  z.object(invited)
)
export const TeamMemberList = z.object({ data: data(z.array(TeamMember)) })
