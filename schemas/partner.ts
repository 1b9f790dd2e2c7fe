// A partner: the reseller whose customers these are, and the brand under which it meets them.
import { z } from 'zod'
import { nullable } from './fields.ts'
import { Language } from './language.ts'
import { Email, line, requiredLine } from './primitives.ts'

export const CreatePartner = z.strictObject({
  name: requiredLine(100),
  email: Email,
  slug: z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, 'must be lower-case letters, digits and inner hyphens')
    .optional()
})

/** https, or plain http on this machine: passwords and sessions travel there. */
const isSafeOrigin = ({ protocol, hostname }: URL) =>
  protocol === 'https:' ||
  (protocol === 'http:' && /^(localhost|127\.0\.0\.1|\[::1\]|.*\.localhost)$/.test(hostname))

/** Scheme and host of a partner's own, such as `https://portal.acme.example`; all of that host is its portal. */
export const PortalOrigin = z
  .string()
  .max(300)
  // What follows reads the address, so nothing does unless it is one.
  .refine((url) => URL.canParse(url), {
    error: 'must be an address such as https://portal.acme.example',
    abort: true
  })
  .refine((url) => isSafeOrigin(new URL(url)), 'must begin with https://')
  .refine((url) => {
    const { pathname, search, hash, username, password } = new URL(url)
    return pathname === '/' && `${search}${hash}${username}${password}` === ''
  }, 'must be a scheme and a host, with nothing behind it')
  .transform((url) => new URL(url).origin)

export const ErasePartner = z.strictObject({ confirm: z.string().max(100) })
export const PartnerErased = z.object({ customers: z.int() })

const brand = {
  name: requiredLine(100),
  accentColor: z
    .string()
    .max(7)
    .regex(/^#[0-9a-f]{6}$/i, 'must be a colour such as #1d4ed8'),
  supportEmail: Email,
  supportUrl: line(500),
  language: Language
}

/** How the partner's name and colour appear in mails and in the portal. */
export const Brand = z.strictObject(brand).partial()
export type Brand = z.infer<typeof Brand>

/** Raster images that browsers show; anything that can hold script or move is refused. */
export const MAX_LOGO_BYTES = 512 * 1024

const isWebAddress = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
const WebAddress = brand.supportUrl.refine(
  isWebAddress,
  'must be a web address such as https://example.com/help'
)

/** `null` takes a value away, what is left out stays. */
export const UpdateBrand = z.strictObject(nullable({ ...brand, supportUrl: WebAddress })).partial()

export const SetBrandLogo = z.strictObject({
  image: z.base64().max(Math.ceil(MAX_LOGO_BYTES / 3) * 4)
})
export const BrandLogo = z.object({ hash: z.string(), width: z.int(), height: z.int() })

export const BrandResult = z.object({
  data: z.object({
    /** The partner's own name, which stands wherever the brand has none. */
    partnerName: z.string(),
    slug: z.string(),
    name: z.string().nullable(),
    accentColor: z.string().nullable(),
    supportEmail: z.string().nullable(),
    supportUrl: z.string().nullable(),
    /** Of portal and mails, where neither the customer's record nor the browser says. */
    language: Language.nullable(),
    logo: BrandLogo.nullable()
  })
})
export const BrandChangeResult = BrandResult.extend({ message: z.string() })
