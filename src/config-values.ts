// How a variable of the environment is read: what is empty counts as absent.
import { z } from 'zod'

export const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional())

export const withDefault = (value: string, schema: z.ZodType<string> = z.string()) =>
  z.preprocess((given) => (given === '' || given === undefined ? value : given), schema)

export const wholeNumber = (fallback: number, max: number) =>
  z.preprocess(
    (value) => (value === '' || value === undefined ? fallback : Number(value)),
    z.int('must be a whole number').min(0).max(max)
  )

/** Without slashes at its end. */
export const httpUrl = z
  .url({ protocol: /^https?$/ })
  // Nothing would be sent to it, and the complaint over it would quote them.
  .refine((url) => !/^https?:\/\/[^/?#]*@/i.test(url), 'must have no user name and no password')
  .transform((url) => url.replace(/\/+$/, ''))

/** What goes behind `Bearer` in a header. */
export const bearerKey = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]+$/, 'must have printable ASCII characters only, and no blank')

/** Separated by commas. One that has commas in it can stand alone. */
export const secretKeys = z.preprocess(
  (value) => {
    const keys = String(value ?? '').split(/ *, */)
    return keys.every((key) => key.length >= 32) ? keys : [value].filter(Boolean)
  },
  z.array(z.string().min(32))
)
