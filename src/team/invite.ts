import type { WriteHandle } from '../database/database.ts'
import type { CustomerTable, TeamMemberTable } from '../database/tables.ts'
import type { OperationContext } from '../operation.ts'
import { mintLink } from '../portal-access/links.ts'

/** Mails a member the link that accepts its invite; an earlier link ends. */
export async function inviteTeamMember(
  ctx: Pick<OperationContext, 'mail'>,
  tx: WriteHandle,
  customer: CustomerTable,
  member: TeamMemberTable
): Promise<void> {
  const { partnerId, id: customerId } = customer
  const linkToken = await mintLink(tx, partnerId, 'team_invite', { customerId, teamMemberId: member.id })
  await ctx.mail(tx, {
    partnerId,
    customerId,
    template: 'team_invite',
    recipient: member.email,
    params: {
      recipientName: member.name,
      teamMemberId: member.id,
      role: member.role,
      ...(customer.companyName ? { companyName: customer.companyName } : {})
    },
    secret: { linkToken }
  })
}
