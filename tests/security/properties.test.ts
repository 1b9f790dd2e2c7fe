// What an operation takes and what it answers is what its schemas name: no more gets in, no more gets out.
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { AnyOperation } from '../../src/operation.ts'
import { operations } from '../../src/operations.ts'

/** Without the body of a file, which is none of JSON Schema's. */
const withoutFile = (schema: z.ZodObject) => ('file' in schema.shape ? schema.omit({ file: true }) : schema)

/** Every object in a JSON Schema, with its path. */
function objectsIn(schema: unknown, path: string): [path: string, schema: Record<string, unknown>][] {
  if (typeof schema !== 'object' || schema === null) return []
  const own = { ...schema } as Record<string, unknown>
  const inner = Object.entries(own).flatMap(([name, part]) => objectsIn(part, `${path}.${name}`))
  // What says nothing of itself takes anything.
  const isAnything =
    /\.properties\.\w+$/.test(path) && Object.keys(own).every((name) => name === 'description')
  return own.type === 'object' || isAnything || 'additionalProperties' in own
    ? [[path, own], ...inner]
    : inner
}

const answersOf = ({ name, output }: Pick<AnyOperation, 'name' | 'output'>) =>
  objectsIn(z.toJSONSchema(withoutFile(output), { io: 'output' }), name)

/** Objects that let through what isn't named; by names of the operator's choosing they hold numbers alone. */
const openIn = (operation: Pick<AnyOperation, 'name' | 'output'>) =>
  answersOf(operation).flatMap(([path, { additionalProperties: more }]) =>
    more === false || ['number', 'integer'].includes(Object(more).type) ? [] : [path]
  )

const SECRET = /password|secret|hash|sealed|private|token$|^key$|cookie|undo/i

const secretsIn = (operation: AnyOperation) =>
  answersOf(operation).flatMap(([, { properties }]) =>
    Object.keys(Object(properties)).filter((name) => SECRET.test(name))
  )

describe.each(operations.map((operation) => [operation.name, operation] as const))(
  '%s',
  (name, operation) => {
    it('takes no field that it does not name', () => {
      for (const field of ['partnerId', 'role', 'isActive', '__proto__', 'constructor']) {
        if (field in operation.input.shape && Object.hasOwn(operation.input.shape, field)) continue
        const given = JSON.parse(`{"${field}":"x"}`)
        const issues = operation.input.safeParse(given).error?.issues ?? []
        const unknown = issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []))
        expect([field, unknown]).toEqual([field, [field]])
      }
    })

    it('answers nothing that it does not name', () => {
      expect(openIn(operation)).toEqual([])
    })

    it('answers no secret but what is shown once', () => {
      const known = [...(operation.shownOnce ?? []), ...(SHOWN[name] ?? [])]
      expect([...new Set(secretsIn(operation))].toSorted()).toEqual(known.toSorted())
    })
  }
)

/** What sounds like a secret: a session that is begun, what its page seals, what a provider is given, a link, and names of other things. */
const SHOWN: Record<string, string[]> = {
  customer_view_portal: ['token'],
  memory_forget_with_undo: ['undo'],
  call_hook_get: ['secret'],
  partner_create: ['setPasswordToken'],
  webhook_list: ['formerSecretUntil'],
  secrets_rotate: ['resealed', 'sealedMeanwhile'],
  // The picture's own, by which browsers keep it.
  brand_get: ['hash'],
  brand_update: ['hash'],
  brand_logo_set: ['hash'],
  brand_logo_remove: ['hash']
}

it('an open answer would be found', () => {
  const output = z.object({ a: z.looseObject({}), b: z.record(z.string(), z.string()), c: z.unknown() })
  expect(openIn({ name: 'open', output })).toEqual([
    'open.properties.a',
    'open.properties.b',
    'open.properties.c'
  ])
})
