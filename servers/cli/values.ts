// How the values of options are read: what can't be used is refused before anything else happens, by the option's name.
import { InvalidArgumentError } from '@commander-js/extra-typings'
import type { z } from 'zod'
import { requiredLine } from '../../schemas/primitives.ts'
import { invalidInput } from '../../src/invalid-input.ts'

export const textOf =
  <Schema extends z.ZodType>(schema: Schema) =>
  (text: string) =>
    checked(schema, text)

export const jsonOf =
  <Schema extends z.ZodType>(schema: Schema) =>
  (text: string) =>
    checked(schema, parseJson(text))

export function onOff(text: string): boolean {
  if (text === 'on') return true
  if (text === 'off') return false
  throw new InvalidArgumentError('Say on or off.')
}

/** Comma-separated names; an empty text is an empty list. */
export const names = (text: string): string[] => split(text).map((name) => checked(requiredLine(200), name))

export const scopesOf =
  <Name extends string>(known: readonly Name[]) =>
  (text: string): Name[] => {
    const given = split(text)
    const granted = known.filter((scope) => given.includes(scope))
    const unknown = given.filter((name) => !known.some((scope) => scope === name))
    if (unknown.length > 0) {
      throw new InvalidArgumentError(`Unknown: ${unknown.join(', ')}. The scopes are ${known.join(', ')}.`)
    }
    if (given.length === 0)
      throw new InvalidArgumentError('Name at least one scope, or leave the option out.')
    return granted
  }

const split = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

function checked<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw new InvalidArgumentError(invalidInput(parsed.error, 'It').message)
  return parsed.data
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new InvalidArgumentError(
      `It is not JSON: ${error instanceof Error ? error.message : 'unreadable'}.`
    )
  }
}
