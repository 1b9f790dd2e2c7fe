// What a plan gave to a customer, and what of it goes back when the plan ends: what nobody changed since.
import { z } from 'zod'
import type { CustomerTable, FieldColumns } from '../customers/table.ts'

const Gave = z.record(z.string(), z.tuple([z.unknown(), z.unknown()]))

/** What the columns make different of the customer, and the note of it for the subscription. */
export function given(
  customer: CustomerTable,
  columns: object
): { columns: Partial<FieldColumns>; gave: string }
export function given(customer: object, columns: object): { columns: object; gave: string } {
  const news = Object.entries(columns).filter(([column, value]) => Reflect.get(customer, column) !== value)
  const gave = news.map(([column, value]) => [column, [Reflect.get(customer, column), value]])
  return { columns: Object.fromEntries(news), gave: JSON.stringify(Object.fromEntries(gave)) }
}

/** What was before, where the customer still has what was given. */
export function takenBack(customer: CustomerTable, gave: string): Partial<FieldColumns>
export function takenBack(customer: object, gave: string): object {
  const kept = Object.entries(Gave.parse(JSON.parse(gave))).filter(
    ([column, [, after]]) => Reflect.get(customer, column) === after
  )
  return Object.fromEntries(kept.map(([column, [before]]) => [column, before]))
}

/** What to give again. */
export const toGiveAgain = (gave: string): object =>
  Object.fromEntries(
    Object.entries(Gave.parse(JSON.parse(gave))).map(([column, [, after]]) => [column, after])
  )
