import { customAlphabet } from 'nanoid'

const randomPart = customAlphabet('0123456789abcdefghijklmnopqrstuvwxyz', 20)

/** Crockford's base32: no I, L, O or U, so that a code survives being read aloud. */
const shortCode = customAlphabet('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 8)

/** A new record id such as `cus_…`: 103 random bits behind a prefix that says what it is. */
export const newId = (prefix: string): string => `${prefix}_${randomPart()}`

/** A customer's short code `C-XXXXXXXX` (§2.1 `customerId`); unique per partner by index, retried by the caller. */
export const newCustomerCode = (): string => `C-${shortCode()}`
