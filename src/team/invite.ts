import type { CustomerTable } from '../customers/table.ts'
import type { WriteHandle } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import { type MailContext, mailLink } from '../portal-access/links.ts'

/** Mails a member the link that accepts its invite; an earlier link ends. */
export async function inviteTeamMember(
  ctx: MailContext,
  tx: WriteHandle,
  customer: CustomerTable,
  member: Tables['teamMember']
): Promise<void> {
  const { id: teamMemberId, email, name, role } = member
  const target = { customerId: customer.id, teamMemberId }
  await mailLink(ctx, tx, customer.partnerId, target, {
    template: 'team_invite',
    recipient: email,
    params: {
      recipientName: name,
      teamMemberId,
      role,
      ...(customer.companyName ? { companyName: customer.companyName } : {})
    }
  })
}
