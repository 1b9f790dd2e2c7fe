// How variables of the environment are read: what is empty counts as absent.
import { resolve } from 'node:path'
import { z } from 'zod'

export const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional())

export const withDefault = (value: string, schema: z.ZodType<string> = z.string()) =>
  z.preprocess((given) => (given === '' || given === undefined ? value : given), schema)

/** What is below `least` counts as that. */
export const wholeNumber = (fallback: number, max: number, least = 0) =>
  z.preprocess(
    (value) => (value === '' || value === undefined ? fallback : Number(value)),
    z
      .int('must be a whole number')
      .min(0)
      .max(max)
      .transform((value) => Math.max(least, value))
  )

export const oneOrZero = (fallback: 0 | 1) =>
  wholeNumber(fallback, 1)
    .transform((flag) => flag === 1)
    .meta({ fallback })

export const folder = (fallback: string) =>
  withDefault(fallback)
    .transform((path) => resolve(path))
    .meta({ fallback })

export const hosts = withDefault('').transform((text) =>
  text
    .split(',')
    .map((host) => host.trim().toLowerCase())
    .filter(Boolean)
)

/** Without slashes at its end. */
export const httpUrl = z
  .url({ protocol: /^https?$/ })
  // Nothing would be sent to it, and the complaint over it would quote them.
  .refine((url) => !/^https?:\/\/[^/?#]*@/i.test(url), 'must have no user name and no password')
  .transform((url) => url.replace(/\/+$/, ''))

export const bearerKey = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]+$/, 'must have printable ASCII characters only, and no blank')

/** Separated by commas. One that has commas in it can stand alone. */
export const secretKeys = z.preprocess((value) => {
  const keys = String(value ?? '').split(/ *, */)
  return keys.every((key) => key.length >= 32) ? keys : [value].filter(Boolean)
}, z.array(z.string().min(32)).readonly())

/** The variable's name; what has none is named by its key in the tree. */
export const env = <Schema extends z.ZodType>(name: string, schema: Schema): Schema =>
  schema.meta({ variable: name })

export interface Tree {
  readonly [key: string]: z.ZodType | Tree
}

export type Settled<T> = T extends z.ZodType ? z.output<T> : { [Key in keyof T]: Settled<T[Key]> }

type Variable = Record<'name' | 'fallback' | 'description', string>

export const variablesOf = (tree: Tree): Variable[] =>
  Object.entries(tree).flatMap(([key, part]) => {
    if (!(part instanceof z.ZodType)) return variablesOf(part)
    const { variable = key, description = '', fallback = part.parse(undefined) ?? '' } = part.meta() ?? {}
    return [{ name: String(variable), fallback: String(fallback), description }]
  })

/** What the environment says; every complaint goes to `problems` and names its variable, without the value. */
export function readTree<T extends Tree>(
  tree: T,
  environment: NodeJS.ProcessEnv,
  problems: string[]
): Settled<T>
export function readTree(tree: Tree, environment: NodeJS.ProcessEnv, problems: string[]): unknown {
  const read = Object.entries(tree).map(([key, part]): [string, unknown] => {
    if (!(part instanceof z.ZodType)) return [key, readTree(part, environment, problems)]
    const name = String(part.meta()?.variable ?? key)
    const { data, error } = part.safeParse(environment[name])
    for (const { path, message } of error?.issues ?? [])
      problems.push(`${[name, ...path].join('.')}: ${message}`)
    return [key, data]
  })
  return Object.fromEntries(read)
}
