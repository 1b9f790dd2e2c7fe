// The small values that resources are made of: texts, ids, e-mail addresses, timestamps, money.
import { z } from 'zod'

interface FormText {
  /** How forms and lists call it. */
  label?: string
  help?: string
  /** What a new customer has of it without a plan. */
  usual?: unknown
}

/** The field with its meaning for documents and an example. What a model reads is the schema's description. */
export const said = <Field extends z.ZodType>(
  field: Field,
  meaning: string,
  example?: unknown,
  forms: FormText = {}
): Field => field.meta({ meaning, ...(example === undefined ? {} : { example }), ...forms })

/** What is told promises no more than its kind. */
export const told = {
  text: (...saying: Saying) => said(z.string(), ...saying),
  flag: (...saying: Saying) => said(z.boolean(), ...saying),
  count: (...saying: Saying) => said(z.int(), ...saying),
  amount: (...saying: Saying) => said(z.number(), ...saying),
  time: (...saying: Saying) => said(StoredTimestamp, ...saying)
}

type Saying = [meaning: string, example?: unknown, forms?: FormText]

/** PostgreSQL can't store NUL, and a lone surrogate is not text in any encoding: both are refused at the channel. */
const isStorableText = (value: string) => !value.includes('\0') && value.isWellFormed()

/** A text of at most `max` characters that both databases can store. */
export const text = (max: number) =>
  z.string().max(max).refine(isStorableText, 'contains characters that can’t be stored')

/** Whether anything of it can be seen: white space can't, nor fillers, joiners and empty Braille. */
const isVisible = (value: string) => /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(value)

export const requiredText = (max: number) => text(max).min(1).refine(isVisible, 'must not be blank')

/** One line of text: names, labels. Line breaks in a name would end up in mail headers. */
export const line = (max: number) =>
  text(max).refine((value) => !/\p{Cc}/u.test(value), 'must be one line without control characters')

export const requiredLine = (max: number) => line(max).min(1).refine(isVisible, 'must not be blank')

/** A name that can be left out, by an empty line too. */
export const optionalName = (max: number) =>
  line(max).refine((value) => value === '' || isVisible(value), 'must not be blank')

/** A label such as a call-volume tier: free text that lists can be filtered by. */
export const Label = line(100)

const MAX_EMAIL_LENGTH = 254

/** Letters of any script (RFC 6531); of ASCII nothing that a header, a shell or a log could read as syntax. */
const LOCAL_PART = /^(?!\.)(?!.*\.\.)(?!.*\p{DI})[\p{L}\p{M}\p{N}_'+.-]*[\p{L}\p{M}\p{N}_+-]$/u
const DOMAIN = /^(?!.*\p{DI})[\p{L}\p{M}\p{N}.-]{1,253}$/u
const DNS_NAME = /^(?:[a-z0-9][a-z0-9-]{0,62}\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/

/** The domain as DNS has it: lower case, A-labels for what isn't ASCII (RFC 5891). '' when it is no domain. */
export function asciiDomain(domain: string): string {
  const url = `http://${domain}`
  const ascii = DOMAIN.test(domain) && URL.canParse(url) ? new URL(url).hostname : ''
  return DNS_NAME.test(ascii) ? ascii : ''
}

function isEmail(email: string): boolean {
  const at = email.lastIndexOf('@')
  const domain = asciiDomain(email.slice(at + 1))
  if (!LOCAL_PART.test(email.slice(0, Math.max(at, 0))) || domain === '') return false
  const spellings = [email, email.slice(0, at + 1) + domain]
  return spellings.every((spelling) => new TextEncoder().encode(spelling).length <= MAX_EMAIL_LENGTH)
}

export const Email = z
  .string()
  .max(MAX_EMAIL_LENGTH, { abort: true })
  .normalize()
  .refine(isEmail, 'is not a valid e-mail address')
  .meta({ format: 'email' })

/** An e-mail address as it was stored; answers don't validate what requests already did. */
export const StoredEmail = z.string()

/** An offset can carry an instant out of the years that a timestamp has: `9999-12-31T23:59:59-01:00` is in 10000. */
const hasYearInUtc = (value: string) => {
  const year = new Date(value).getUTCFullYear()
  return !(year < 0 || year > 9999)
}

/** An instant in ISO 8601, answered in UTC with milliseconds. The form alone would allow any number of decimals. */
export const Timestamp = z.iso
  .datetime({ offset: true })
  .max(40)
  .refine(hasYearInUtc, 'must be in a year from 0000 to 9999 in UTC')

export const StoredTimestamp = z.string().meta({ format: 'date-time' })
export const createdAt = said(StoredTimestamp, 'When it was created.', '2026-01-15T10:00:00.000Z')
export const updatedAt = said(StoredTimestamp, 'When it last changed.', '2026-01-15T10:00:00.000Z')

const isInMillionths = (value: number) => Math.round(value * 1_000_000) / 1_000_000 === value

/** Rounding would make another number of it than was said, so more decimals are refused. */
export const inMillionths = (number: z.ZodNumber) =>
  number.refine(isInMillionths, 'must have at most 6 decimals')

/** An amount in the partner's currency: at most 6 decimals, kept as integer micro-units. */
export const Money = z.number().min(0).max(1_000_000_000)

/** Of the partner: of every amount beside it. */
export const currency = said(z.string(), 'Currency of the amounts, by ISO 4217.', 'USD')

/** A path or body reference to a record of ours. Unknown ones answer 404, so the form is not policed here. */
export const RecordId = line(100).refine((value) => value.trim() !== '', 'must not be blank')

/** The record id, or the short code `C-…` that list items also carry. */
export const CustomerId = said(
  // Gateways say it once for all tools.
  RecordId,
  'Customer record id or short code.',
  'cus_4k9v2m7x1q8t3w6z0b5n'
)

/** A list in which each stands once; said twice counts as said once. */
export const setOf = <Item extends z.ZodType<string>>(item: Item, max = 100) =>
  z
    .array(item)
    .max(max)
    .overwrite((items) => [...new Set(items)])

/** An input that can be left out, by `null` too: clients send it for what nobody filled in. */
export const optional = <Value extends z.ZodType>(value: Value) =>
  value.nullish().transform((given) => given ?? undefined)
