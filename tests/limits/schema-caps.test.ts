// Every text, list and number that a caller can send has an end.
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { OF_TENANTS } from '../security/examples.ts'
import { expectJudgedAtOnce } from './long-texts.ts'

/** Where a schema takes more than it says. */
function boundless(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { type, enum: values, const: value, maxLength, maxItems, maximum, exclusiveMaximum } = Object(schema)
  const types = [type].flat()
  const isOpen =
    values === undefined &&
    value === undefined &&
    ((types.includes('string') && typeof maxLength !== 'number') ||
      (types.includes('array') && typeof maxItems !== 'number') ||
      ((types.includes('number') || types.includes('integer')) &&
        typeof (maximum ?? exclusiveMaximum) !== 'number') ||
      (types.includes('object') && Object(schema).additionalProperties !== false))
  const inner = Object.entries(schema).flatMap(([name, part]) => boundless(part, `${path}.${name}`))
  return isOpen ? [path, ...inner] : inner
}

describe('the input of an operation', () => {
  // What only the operator calls takes files as large as the operator's.
  it.each(OF_TENANTS.map((operation) => [operation.name, operation] as const))(
    '%s has an end',
    (_, operation) => {
      // The body itself, which has an end of its own, is none of JSON Schema's.
      const input = 'file' in operation.input.shape ? operation.input.omit({ file: true }) : operation.input
      expect(boundless(z.toJSONSchema(input, { io: 'input' }), operation.name)).toEqual([])
    }
  )

  it('would be found without one', () => {
    const open = z.strictObject({
      a: z.string(),
      b: z.array(z.enum(['x'])),
      c: z.number(),
      d: z.looseObject({})
    })
    expect(boundless(z.toJSONSchema(open, { io: 'input' }), 'open')).toEqual([
      'open.properties.a',
      'open.properties.b',
      'open.properties.c',
      'open.properties.d'
    ])
  })

  it('of a hundred kilobytes in one text is judged at once, whatever the text', () =>
    expectJudgedAtOnce({ length: 100_000, withinMs: 1_000 }))
})
