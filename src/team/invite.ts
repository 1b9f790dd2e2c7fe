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
  const { partnerId, id: customerId } = customer
  await mailLink(
    ctx,
    tx,
    'team_invite',
    { customerId, teamMemberId: member.id },
    {
      partnerId,
      customerId,
      template: 'team_invite',
      recipient: member.email,
      params: {
        recipientName: member.name,
        teamMemberId: member.id,
        role: member.role,
        ...(customer.companyName ? { companyName: customer.companyName } : {})
      }
    }
  )
}
