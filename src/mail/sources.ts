// What a letter is made of beside its own row: the partner, the link, the parameters.
import { z } from 'zod'
import { Brand } from '../../schemas/partner.ts'
import type { ReadHandle } from '../database/database.ts'
import { tokenHash } from '../keys/token.ts'

const LetterParams = z.object({
  recipientName: z.string().optional(),
  companyName: z.string().optional(),
  teamMemberId: z.string().optional(),
  role: z.string().optional(),
  customerName: z.string().optional(),
  customerCode: z.string().optional(),
  balance: z.string().optional(),
  threshold: z.string().optional(),
  hasPortal: z.boolean().optional()
})
export type LetterParams = z.infer<typeof LetterParams>

/** What the template shows beside the brand, as it was kept. */
export const readParams = (json: string): LetterParams => LetterParams.parse(JSON.parse(json))

/** The partner that a mail is sent for. */
export interface MailPartner {
  slug: string
  name: string
  isActive: boolean
  brand: Brand
  portalOrigin: string | null
}

export async function getMailPartner(db: ReadHandle, partnerId: string): Promise<MailPartner> {
  const { slug, name, isActive, brand, portalOrigin } = await db
    .selectFrom('partner')
    .where('id', '=', partnerId)
    .select(['slug', 'name', 'isActive', 'brand', 'portalOrigin'])
    .executeTakeFirstOrThrow()
  // A brand that can't be read must not keep a password reset from its reader.
  const readable = Brand.safeParse(JSON.parse(brand)).data ?? {}
  return { slug, name, isActive: isActive === 1, brand: readable, portalOrigin }
}

/** Until when the link of that token lets in; undefined once it was used, replaced or taken back. */
export async function linkValidUntil(
  db: ReadHandle,
  partnerId: string,
  linkToken: string
): Promise<string | undefined> {
  const link = await db
    .selectFrom('accessLink')
    .where('partnerId', '=', partnerId)
    .where('tokenHash', '=', tokenHash(linkToken))
    .where('usedAt', 'is', null)
    .select('expiresAt')
    .executeTakeFirst()
  return link?.expiresAt
}
