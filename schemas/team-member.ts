// A customer's team member (§2.2).
import { z } from 'zod'
import { CustomerId, Email, RecordId, requiredLine, StoredEmail, StoredTimestamp } from './primitives.ts'

/** Body of POST …/team-members. `role` is a free label; `admin` alone carries more rights than `member`. */
export const AddTeamMember = z.strictObject({
  customerId: CustomerId,
  email: Email.describe('Unique per customer'),
  name: requiredLine(200),
  role: requiredLine(50).default('member')
})

export const TeamMemberPath = z.strictObject({ customerId: CustomerId, teamMemberId: RecordId })

const invited = {
  id: z.string(),
  customerId: z.string(),
  name: z.string(),
  email: StoredEmail,
  role: z.string(),
  status: z.enum(['pending', 'active']),
  createdAt: StoredTimestamp
}

export const TeamMember = z.object({ ...invited, updatedAt: StoredTimestamp }).meta({ id: 'TeamMember' })
export type TeamMember = z.output<typeof TeamMember>

export const TeamMemberResult = z.object({ message: z.string(), data: z.object(invited) })
export const TeamMemberList = z.object({ data: z.array(TeamMember) })
