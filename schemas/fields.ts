// What is said of a field stands on its schema, once for documents and forms; and shapes that are made of one another.
import { z } from 'zod'
import { optional, StoredTimestamp } from './primitives.ts'

/** What forms say of a field, be it optional or null. */
export function formText(field: z.ZodType): { label: string; help: string | undefined; usual: unknown } {
  const { label, help, usual } = { ...bare(field).meta(), ...field.meta() }
  if (typeof label !== 'string') throw new Error('A form asks for a field that has no label')
  return { label, help: typeof help === 'string' ? help : undefined, usual }
}

export function bare(field: z.ZodType): z.ZodType {
  const inner =
    field instanceof z.ZodPipe
      ? field.in
      : field instanceof z.ZodOptional || field instanceof z.ZodNullable || field instanceof z.ZodDefault
        ? field.unwrap()
        : undefined
  return inner instanceof z.ZodType ? bare(inner) : field
}

/** A value as it was stored, of which an answer promises no more than its kind. */
const STORED = {
  flag: z.boolean(),
  list: z.array(z.string()),
  count: z.int(),
  amount: z.number(),
  time: StoredTimestamp,
  text: z.string()
}

/** Columns and forms go by it. */
export type Kind = keyof typeof STORED

export function kindOf(field: z.ZodType): Kind {
  const value = bare(field)
  if (value instanceof z.ZodBoolean) return 'flag'
  if (value instanceof z.ZodArray) return 'list'
  if (value instanceof z.ZodNumber) return value instanceof z.ZodNumberFormat ? 'count' : 'amount'
  return value instanceof z.ZodISODateTime ? 'time' : 'text'
}

type Shape = Record<string, z.ZodType>

const each = (shape: Shape, change: (field: z.ZodType) => z.ZodType): Shape =>
  Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, change(field)]))

/** The fields, each of which null clears. */
export function nullable<Of extends Shape>(shape: Of): { [Name in keyof Of]: z.ZodNullable<Of[Name]> }
export function nullable(shape: Shape): Shape {
  return each(shape, (field) => field.nullable())
}

/** Those of the fields, each of which can be left out. */
export function optionals<Of extends Shape, Name extends keyof Of & string>(
  shape: Of,
  ...names: Name[]
): { [Each in Name]: ReturnType<typeof optional<Of[Each]>> }
export function optionals(shape: Shape, ...names: string[]): Shape {
  return each(Object.fromEntries(names.map((name) => [name, shape[name] ?? z.never()])), optional)
}

type Stored<Value> = Value extends readonly string[] ? string[] : Value

/** The fields as answers have them: without the limits of what is sent. */
export function stored<Of extends Shape>(
  shape: Of
): { [Name in keyof Of]: z.ZodType<Stored<z.output<Of[Name]>>> }
export function stored(shape: Shape): Shape {
  return each(shape, (field) => {
    const { format: _, ...text } = bare(field).meta() ?? {}
    const value = STORED[kindOf(field)].meta(text)
    return field instanceof z.ZodNullable ? value.nullable() : value
  })
}
