import type { Context } from 'hono'
import { ServiceError } from '../../src/errors.ts'
import { invalidField } from '../../src/invalid-input.ts'
import { parseJson } from '../../src/json-shape.ts'
import { readBody } from '../middleware/body-limit.ts'
import type { PageEnv } from './env.ts'

export interface Form {
  /** The field without white space around it; `undefined` when that is nothing. */
  text(name: string): string | undefined
  /** The field as it was typed; '' when there is none. */
  raw(name: string): string
  all(name: string): string[]
  flag(name: string): boolean
  file(name: string): File | undefined
  /** Every field but files, to show the form again. */
  values: Record<string, string | string[]>
}

const MAX_FORM_BYTES = 65_536
const MAX_FIELDS = 1_000

const TICKED = new Set(['on', 'true', '1'])

/** @throws ServiceError `payload_too_large`, `unsupported_media_type`, `rate_limited`, `invalid_input` */
export async function readForm(c: Context<PageEnv>, maxBytes = MAX_FORM_BYTES): Promise<Form> {
  const bytes = await readBody(c, maxBytes)
  const fields = await fieldsOf(bytes, c.req.header('content-type') ?? '')
  if (fields.size > MAX_FIELDS) throw new ServiceError('invalid_input', 'The form has too many fields.')
  return formOf(fields)
}

/** Whether the body is JSON: then so is the answer. */
export const isJson = (c: Context): boolean => JSON_TYPE.test(c.req.header('content-type') ?? '')

const JSON_TYPE = /^application\/json *(;|$)/i
const FORM_TYPE = /^(application\/x-www-form-urlencoded|multipart\/form-data) *(;|$)/i

type Fields = Map<string, (string | File)[]>

async function fieldsOf(bytes: Uint8Array, type: string): Promise<Fields> {
  const fields: Fields = new Map()
  const add = (name: string, value: string | File) => {
    if (typeof value === 'string' && !isStorable(value)) {
      throw invalidField(name, 'contains characters that can’t be stored')
    }
    const known = fields.get(name)
    if (known) known.push(value)
    else fields.set(name, [value])
  }
  // A button without fields sends nothing at all.
  if (bytes.byteLength === 0) return fields
  if (JSON_TYPE.test(type)) {
    for (const [name, value] of Object.entries(jsonObject(bytes))) {
      for (const one of Array.isArray(value) ? value : [value]) add(name, jsonText(name, one))
    }
    return fields
  }
  if (!FORM_TYPE.test(type)) {
    throw new ServiceError('unsupported_media_type', 'The body must be a form or JSON.')
  }
  for (const [name, value] of await formData(bytes, type)) add(name, value)
  return fields
}

const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

function jsonObject(bytes: Uint8Array): object {
  const value = parseJson(bytes)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new ServiceError('invalid_input', 'The body must be a JSON object.')
}

function jsonText(name: string, value: unknown): string {
  if (value === null) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw invalidField(name, 'must be a text')
}

async function formData(bytes: Uint8Array, type: string): Promise<FormData> {
  try {
    return await new Response(Buffer.from(bytes), { headers: { 'Content-Type': type } }).formData()
  } catch (error) {
    throw new ServiceError('invalid_input', 'The form can’t be read.', { cause: error })
  }
}

function formOf(fields: Fields): Form {
  const texts = (name: string) => (fields.get(name) ?? []).filter((value) => typeof value === 'string')
  const raw = (name: string) => texts(name)[0] ?? ''
  return {
    raw,
    text: (name) => raw(name).trim() || undefined,
    all: texts,
    flag: (name) => TICKED.has(raw(name)),
    file: (name) =>
      fields.get(name)?.find((value) => value instanceof File && value.size > 0) as File | undefined,
    get values() {
      return Object.fromEntries(
        [...fields.keys()].map((name) => {
          const all = texts(name)
          return [name, all.length === 1 ? (all[0] ?? '') : all]
        })
      )
    }
  }
}

/** The longest memory in the costliest letters, as a form encodes them. */
export const MAX_TEXT_BYTES = 400_000

/** A long text as it was typed: browsers send line ends as two characters. */
export const linesOf = (form: Form, name: string): string => form.raw(name).replaceAll('\r\n', '\n')
