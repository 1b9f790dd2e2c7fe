// Which texts of an answer others wrote, so that a model that is given the structure alone is told so there, too.
import { z } from 'zod'
import type { AnyOperation } from '../../src/operation.ts'
import { asSchema, itemsOf, type JsonSchema, partsOf } from '../json-schema.ts'
import { isJsonObject } from '../middleware/json-body.ts'

type Mark = (text: string) => string
export type MarkTexts = (value: unknown, mark: Mark) => unknown

/** Texts that the service itself writes, or that stand for a record. Any other free text is taken for somebody else's. */
const OURS =
  /^(id|message|model|currency|timeZone|host|email|recordingUrl|nextCursor|item|priceBreakdown|billingType|outcome)$|(Id|Ids|Status)$/
/** A word or a number can't tell a model to do anything, and a page has many. */
const ONE_WORD = /^[\p{Script=Latin}\p{N}.,+-]{0,16}$/u

/** Marks each text of such an answer that others wrote; `undefined` where it holds none. */
export function textsOf({ output }: AnyOperation): MarkTexts | undefined {
  const { $defs = {}, ...root } = z.toJSONSchema(output, { io: 'output' })
  return textsIn(root, '', $defs)
}

function textsIn(
  node: JsonSchema,
  name: string,
  definitions: Readonly<Record<string, JsonSchema>>
): MarkTexts | undefined {
  const { $ref, type, properties, anyOf, oneOf } = node
  const definition = $ref === undefined ? undefined : definitions[$ref.replace('#/$defs/', '')]
  if (definition) return textsIn(definition, name, definitions)
  const within = (part: JsonSchema, partName = name) => textsIn(part, partName, definitions)
  const branches = [...(anyOf ?? []), ...(oneOf ?? [])].map((branch) => within(asSchema(branch)))
  const parts = partsOf(properties).map(([key, part]) => [key, within(part, key)] as const)
  const items = itemsOf(node)
  const marks = [
    ...branches,
    type === 'string' && isFree(node) && !OURS.test(name) ? markText : undefined,
    items && ofList(within(items)),
    ofObject(parts)
  ].filter((mark) => mark !== undefined)
  if (marks.length === 0) return undefined
  // Each leaves what isn't of its type as it is.
  return (value, mark) => marks.reduce((marked, ofKind) => ofKind(marked, mark), value)
}

const isFree = ({ enum: values, const: value, format }: JsonSchema) =>
  values === undefined && value === undefined && format === undefined

const markText: MarkTexts = (value, mark) =>
  typeof value === 'string' && !ONE_WORD.test(value) ? mark(value) : value

const ofList = (ofItem: MarkTexts | undefined): MarkTexts | undefined =>
  ofItem && ((value, mark) => (Array.isArray(value) ? value.map((item) => ofItem(item, mark)) : value))

function ofObject(parts: readonly (readonly [string, MarkTexts | undefined])[]): MarkTexts | undefined {
  const marked = new Map(parts.filter(([, ofPart]) => ofPart !== undefined))
  if (marked.size === 0) return undefined
  return (value, mark) => {
    if (!isJsonObject(value)) return value
    const entries = Object.entries(value).map(([key, part]) => [key, marked.get(key)?.(part, mark) ?? part])
    return Object.fromEntries(entries)
  }
}
