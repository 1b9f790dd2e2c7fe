// What a fact is before it has a place in a Mind.

/** In the order in which a profile names them. */
export const FACT_KINDS = [
  'name',
  'role',
  'company',
  'place',
  'contact',
  'preference',
  'relation',
  'plan',
  'goal',
  'like',
  'event'
] as const

export type FactKind = (typeof FACT_KINDS)[number]

/** Whom a fact is about. */
export interface Subject {
  /** As it is spelled; empty for the customer whose Mind it is. */
  name: string
  /** The customer, or someone who speaks in the Mind: not merely someone who is spoken of. */
  isMain: boolean
}

export interface FactDraft {
  subject: Subject
  kind: FactKind
  /** Tells the slots of one subject and kind apart, such as `phone` and `email`; empty where there is one only. */
  topic: string
  /** One line. Of a retraction: what has ended, or nothing for whatever there was. */
  value: string
  isRetraction: boolean
  /** Whether it counts at its first mention; otherwise a second memory must say it too. */
  isStated: boolean
}

/** A memory of more facts than this gives its first ones. */
export const MAX_FACTS = 12

export const MAX_VALUE_LENGTH = 100
