// Customers in a file of comma-separated values: each as onboarding takes it, and what is wrong, by line and column.
import { parse } from 'csv-parse/sync'
import { z } from 'zod'
import { OnboardCustomer } from '../../../schemas/customer.ts'
import { INTAKE_PARTS } from '../../../schemas/customer-fields.ts'
import { formText, kindOf } from '../../../schemas/fields.ts'
import { csvRow } from '../../../src/csv.ts'
import { emailKey } from '../../../src/customers/email.ts'
import { invalidField, invalidInput } from '../../../src/invalid-input.ts'
import type { Pause } from '../../../src/slices.ts'
import { calledBy } from '../refusal-words.ts'

const MOST = 500
/** Longer than all that a customer can have. */
const MAX_RECORD = 20_000

const { isQuickOnboarding, allowPortalAccess, planId, startingCredits } = OnboardCustomer.shape
const START = { isQuickOnboarding, allowPortalAccess, planId, startingCredits }

const columnsIn = (shape: Record<string, z.ZodType>, part?: string) =>
  Object.entries(shape).map(([name, schema]) => ({
    part,
    name,
    kind: kindOf(schema),
    title: formText(schema).label
  }))

const COLUMNS = [
  ...Object.entries(INTAKE_PARTS).flatMap(([part, { shape }]) => columnsIn(shape, part)),
  ...columnsIn(START)
]

/** A file of no customer yet. */
export const TEMPLATE = `\uFEFF${csvRow(COLUMNS.map(({ title }) => title))}`

export interface Sheet {
  customers: { line: number; email: string; input: Record<string, unknown> }[]
  problems: { line: number; text: string }[]
}

/** @throws ServiceError `invalid_input` about `file`, where it isn't about single lines */
export async function readSheet(text: string, pause: Pause): Promise<Sheet> {
  const [head, ...rows] = recordsIn(text)
  const columns = columnsOf(head?.record ?? [])
  if (rows.length === 0) throw invalidField('file', 'has no customer in it')
  if (rows.length > MOST) throw invalidField('file', `has more than ${MOST} customers`)
  const sheet: Sheet = { customers: [], problems: [] }
  const lines = new Map<string, number>()
  for (const { record, info } of rows) {
    await pause()
    const line = info.lines
    const input = inputOf(columns, record)
    const { data, error } = OnboardCustomer.safeParse(input)
    for (const issue of error?.issues ?? []) {
      const told = invalidInput(new z.ZodError([issue]))
      const title = columns.find(({ name }) => told.field?.split('.').includes(name))?.title ?? 'The line'
      sheet.problems.push({ line, text: calledBy(title, told) })
    }
    if (!data) continue
    const { email } = data.basic
    const before = lines.get(emailKey(email))
    if (before) sheet.problems.push({ line, text: `E-mail is the one of line ${before}.` })
    lines.set(emailKey(email), line)
    sheet.customers.push({ line, email, input })
  }
  return sheet
}

interface Row {
  record: string[]
  info: { lines: number }
}

function recordsIn(text: string): Row[] {
  const [head = ''] = text.split('\n', 1)
  const delimiter = [';', '\t'].find((one) => head.split(one).length > head.split(',').length) ?? ','
  const options = { info: true, delimiter, skip_empty_lines: true, relax_column_count_less: true }
  try {
    // With `info` each comes beside where it stood, which the library's types don't say.
    return parse(text, { ...options, max_record_size: MAX_RECORD, to: MOST + 2 }) as unknown as Row[]
  } catch (error) {
    throw invalidField('file', `can’t be read: ${String(error).slice(0, 200)}`)
  }
}

function columnsOf(titles: readonly string[]) {
  const columns = titles.slice(0, COLUMNS.length + 1).map((title) => {
    const wanted = title.trim().toLowerCase()
    const known = COLUMNS.find(
      (one) => one.name.toLowerCase() === wanted || one.title.toLowerCase() === wanted
    )
    if (known) return known
    throw invalidField('file', `has a column that no customer has: “${title.trim().slice(0, 40)}”`)
  })
  if (new Set(columns).size < columns.length) throw invalidField('file', 'has a column twice')
  if (!columns.some(({ name }) => name === 'email')) throw invalidField('file', 'has no column E-mail')
  return columns
}

/** As onboarding takes it: a part's answers below the part. */
function inputOf(columns: typeof COLUMNS, cells: readonly string[]): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  const parts: Record<string, Record<string, unknown>> = { basic: {} }
  for (const [index, { part, name, kind }] of columns.entries()) {
    const value = cellValue(kind, (cells[index] ?? '').trim())
    if (value === undefined) continue
    if (part === undefined) input[name] = value
    else parts[part] = { ...parts[part], [name]: value }
  }
  return { ...input, ...parts }
}

function cellValue(kind: string, cell: string): unknown {
  // Our own files have it before what a spreadsheet would calculate.
  const text = cell.replace(/^'(?=[=+\-@])/, '')
  if (text === '') return undefined
  if (kind === 'flag') return /^(yes|true|1)$/i.test(text) || (/^(no|false|0)$/i.test(text) ? false : text)
  if (kind === 'amount') return Number.isNaN(Number(text)) ? text : Number(text)
  return kind === 'list' ? text.split(/[;,\n]/).flatMap((one) => one.trim() || []) : text
}
