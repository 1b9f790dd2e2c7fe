// JSON Schema → values that fit it. Knows what our own documents use; anything else is an error, so that a schema in
// new words doesn't quietly go untested.
import fc from 'fast-check'
import { z } from 'zod'
import { at } from '../support/fixture.ts'

const SchemaNode = z.strictObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  additionalProperties: z.literal(false).optional(),
  items: z.unknown().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  format: z.enum(['email', 'date', 'date-time']).optional(),
  pattern: z.string().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  exclusiveMaximum: z.number().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  default: z.unknown().optional(),
  example: z.unknown().optional(),
  examples: z.unknown().optional()
})
type SchemaNode = z.infer<typeof SchemaNode>

/** Values for properties of these names, whatever their schema says: ids must exist, e-mails must be free. */
export type Named = Readonly<Record<string, fc.Arbitrary<unknown>>>

/**
 * Values that fit the schema.
 *
 * @param document where `#/…` pointers lead
 */
export function valuesOf(
  schema: unknown,
  named: Named = {},
  document: unknown = schema
): fc.Arbitrary<unknown> {
  const node = SchemaNode.parse(schema)
  const inside = (part: unknown) => valuesOf(part, named, document)
  if (node.$ref) return inside(at(document, ...node.$ref.replace('#/', '').split('/')))
  if (node.const !== undefined) return fc.constant(node.const)
  if (node.enum) return fc.constantFrom(...node.enum)
  if (node.anyOf) return fc.oneof(...node.anyOf.map(inside))
  const types = [node.type].flat()
  return fc.oneof(...types.map((type) => valuesOfType(type, node, named, inside)))
}

function valuesOfType(
  type: string | undefined,
  node: SchemaNode,
  named: Named,
  inside: (part: unknown) => fc.Arbitrary<unknown>
): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return integers(node)
    case 'number':
      return numbers(node)
    case 'string':
      return texts(node)
    case 'array':
      return fc.array(inside(node.items), {
        minLength: node.minItems ?? 0,
        maxLength: Math.min(node.maxItems ?? 4, 4)
      })
    case 'object': {
      const properties = Object.entries(node.properties ?? {})
      const members = properties.map(([name, part]) => [name, named[name] ?? inside(part)] as const)
      return fc.record(Object.fromEntries(members), { requiredKeys: node.required ?? [] })
    }
    default:
      throw new Error(`No values are known for ${JSON.stringify(node)}`)
  }
}

function integers({ minimum = 0, maximum = 1_000 }: SchemaNode): fc.Arbitrary<number> {
  // Small ones first: a limit of ten thousand team members is seldom reached.
  const small = fc.integer({ min: minimum, max: Math.min(maximum, minimum + 20) })
  return fc.oneof(
    { arbitrary: small, weight: 4 },
    { arbitrary: fc.constantFrom(minimum, maximum), weight: 1 }
  )
}

function numbers({ minimum, maximum = 1e9, exclusiveMinimum }: SchemaNode): fc.Arbitrary<number> {
  const min = minimum ?? exclusiveMinimum ?? 0
  const whole = fc.integer({ min: Math.ceil(min) + 1, max: Math.floor(maximum) })
  const any = fc.double({ min, max: maximum, noNaN: true, minExcluded: exclusiveMinimum !== undefined })
  const cents = fc.integer({ min: 1, max: 99_999 }).map((value) => Math.min(maximum, value / 100))
  return fc.oneof(whole, cents, any, fc.constant(maximum))
}

/** Texts that people and their software send. */
const PHRASES = [
  'Ada',
  'Łukasz Żółw',
  'مريم الهاشمي',
  '민준',
  '👩‍👩‍👧‍👦',
  'O’Brien; drop table customer',
  "Robert'); --",
  '100%_\\',
  '"quoted"',
  '<script>alert(1)</script>',
  '{{7*7}}',
  '+49 (30) 12-34',
  '500-1000',
  'high',
  'none',
  'e\u0301 and é',
  'ﬃ İ ß',
  '{"a":1}',
  '[1]',
  'null',
  '0'
]

function texts({ format, minLength = 0, maxLength = 200 }: SchemaNode): fc.Arbitrary<string> {
  if (format === 'email') return emails
  if (format === 'date') return days
  if (format === 'date-time') return timestamps
  const fitting = PHRASES.filter(({ length }) => length >= minLength && length <= maxLength)
  return fc.oneof(
    { arbitrary: fc.constantFrom(...fitting), weight: 5 },
    // A grapheme can be a dozen code units long.
    {
      arbitrary: fc.string({
        unit: 'grapheme',
        minLength,
        maxLength: Math.max(minLength, Math.floor(maxLength / 20))
      }),
      weight: 2
    },
    { arbitrary: fc.constant('x'.repeat(maxLength)), weight: 1 }
  )
}

/** Hardly ever the same one twice. */
const emails = fc.oneof(
  {
    arbitrary: fc
      .string({
        unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789'),
        minLength: 12,
        maxLength: 12
      })
      .map((local) => `${local}@example.com`),
    weight: 6
  },
  { arbitrary: fc.emailAddress(), weight: 1 }
)

const instants = fc
  .date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString())

const days = fc.oneof(
  instants.map((instant) => instant.slice(0, 10)),
  fc.constantFrom('1970-01-02', '2024-02-29', '9997-12-31')
)

const timestamps = fc.oneof(
  instants,
  fc.constantFrom(
    '2024-02-29T23:59:59+14:00',
    '2026-07-01T00:00Z',
    '2026-01-01T00:00:00.123456789-11:30',
    '9999-12-31T23:59:59-23:59',
    '0000-01-01T00:00:00+23:59',
    '0001-01-01T00:00:00Z'
  )
)
