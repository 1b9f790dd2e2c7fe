// In which slot the value of an attribute is kept.
import type { Attribute } from '../attributes/attribute.ts'
import { type FactKind, foldValue } from './fact.ts'
import { topicOfGoal } from './read-taste.ts'
import type { Finding } from './reading.ts'

/** Where a value is kept: its kind, and for several of one kind what tells them apart. */
const SLOTS: Partial<Record<Attribute, FactKind>> = {
  phone: 'contact',
  email: 'contact',
  address: 'place',
  job: 'role',
  contact: 'relation',
  allergy: 'health',
  diet: 'health',
  condition: 'health',
  medication: 'health',
  policy: 'detail',
  plate: 'detail',
  code: 'detail',
  insurer: 'detail',
  budget: 'detail',
  plan: 'detail',
  seats: 'detail',
  vehicle: 'detail',
  area: 'detail',
  birth: 'detail',
  pet: 'detail',
  language: 'preference',
  preference: 'preference',
  goal: 'goal'
}

/** Of a phone there is one, of allergies and preferences as many as there are. */
function topicOf(attribute: Attribute, value: string): string {
  if (attribute === 'address' || attribute === 'job') return ''
  if (attribute === 'goal') return topicOfGoal(value)
  if (attribute === 'preference') return foldValue(value).split(' ').slice(0, 3).join(' ')
  return /^(?:allergy|diet|condition|medication)$/.test(attribute) && value
    ? `${attribute} ${foldValue(value)}`
    : attribute
}

/** None where nothing was read; of a job sentences tell more. */
export function finding(
  attribute: Attribute,
  written: string | undefined,
  isRetraction = false
): readonly Finding[] {
  const value = (written ?? '').trim()
  const kind = attribute === 'job' ? undefined : SLOTS[attribute]
  return kind && value ? [{ kind, topic: topicOf(attribute, value), value, isRetraction }] : []
}
