// Who else works at the console of the partner.
import type { WriteHandle } from '../../../src/database/database.ts'
import { insertPartnerUser } from '../../../src/partners/users.ts'
import { mintLink } from '../../../src/portal-access/links.ts'

/** One who has only been invited, and one who may look around, whose id it answers. */
export async function joinConsole(tx: WriteHandle, partnerId: string, passwordHash: string): Promise<string> {
  const invited = { name: 'Grace Okafor', email: 'grace@northwind.example', role: 'support' } as const
  const { id: partnerUserId } = await insertPartnerUser(tx, partnerId, invited)
  await mintLink(tx, partnerId, 'console_password', { partnerUserId })
  const reader = { name: 'Tomás Duarte', email: 'tomas@northwind.example', role: 'read_only' } as const
  const { id } = await insertPartnerUser(tx, partnerId, reader)
  await tx.updateTable('partnerUser').set({ passwordHash }).where('id', '=', id).execute()
  return id
}

/** Of the partner’s first user, whose id it answers. */
export async function setConsolePassword(
  tx: WriteHandle,
  partnerId: string,
  passwordHash: string
): Promise<string> {
  const { id } = await tx
    .updateTable('partnerUser')
    .set({ passwordHash, name: 'Ana Prats' })
    .where('partnerId', '=', partnerId)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
