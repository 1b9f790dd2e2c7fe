// Whom a fact is about and of when it is, as far as its memory bears that out.
import { DAY_MS } from '../../../clock.ts'
import type { FactKind } from '../facts/draft.ts'
import { speaksToModel } from '../facts/untrusted.ts'
import { toOneLine } from '../one-line.ts'
import { isNamed } from './support.ts'
import type { ToldText } from './told-text.ts'

const CUSTOMER = /^(?:(?:the )?customer|)$/i
const LONGEST_NAME = 60

/** Empty for the customer; nothing for somebody whom the memory doesn't name. */
export function subjectOf(subject: string | null | undefined, told: ToldText): string | undefined {
  const name = toOneLine(subject ?? '')
  if (CUSTOMER.test(name)) return ''
  const isName = /^[\p{Lu}\p{Lo}]/u.test(name) && name.length <= LONGEST_NAME && !speaksToModel(name)
  return isName && isNamed(name, told) ? name : undefined
}

/** Whether the memory can be about somebody whom another one named, perhaps more fully. */
export const isMeant = (subject: string, told: ToldText): boolean =>
  subject === '' || subject.split(' ').some((word) => isNamed(word, told))

/**
 * When it happened. An event has the day that the memory tells of it. What holds, holds as of the telling, unless it is
 * told of the past; of "last month" the end, since until then it may have begun. What is ahead is known as of the telling.
 */
export function timeOf(kind: FactKind, date: string | null | undefined, told: ToldText): string {
  const { occurredAt } = told.memory
  const span = told.spanAround(date ?? '')
  if (!span) return occurredAt
  const at = kind === 'event' ? `${date}T00:00:00.000Z` : new Date(span[1] * DAY_MS).toISOString()
  return at.slice(0, 10) < occurredAt.slice(0, 10) ? at : occurredAt
}
