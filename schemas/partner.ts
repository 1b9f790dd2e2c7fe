// A partner: the reseller whose customers these are, and the brand under which it meets them.
import { z } from 'zod'
import { Email, line, requiredLine } from './primitives.ts'

export const CreatePartner = z.strictObject({
  name: requiredLine(100),
  email: Email,
  slug: z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, 'must be lower-case letters, digits and inner hyphens')
    .optional()
})

export const UpdatePartner = z
  .strictObject({
    isActive: z.boolean(),
    hasAiMemory: z.boolean(),
    models: z.array(requiredLine(200)).max(100)
  })
  .partial()

/** How the partner's name and colour appear in mails and in the portal. */
export const Brand = z
  .strictObject({
    name: requiredLine(100),
    accentColor: z.string().regex(/^#[0-9a-f]{6}$/i, 'must be a colour such as #1d4ed8'),
    supportEmail: Email,
    supportUrl: line(500)
  })
  .partial()
export type Brand = z.infer<typeof Brand>
