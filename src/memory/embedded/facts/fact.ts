// What a fact is before it has a place in a Mind.

/** The kinds in the order in which a profile names them, and how it does. */
export const FACT_LABELS = {
  name: 'Name',
  role: 'Role',
  company: 'Company',
  place: 'Place',
  contact: 'Contact',
  health: 'Health',
  detail: 'Detail',
  preference: 'Prefers',
  relation: 'Relation',
  plan: 'Plan',
  goal: 'Goal',
  like: 'Taste',
  event: 'Event'
}

export type FactKind = keyof typeof FACT_LABELS

export const FACT_KINDS = Object.keys(FACT_LABELS) as FactKind[]

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

export const MAX_FACTS = 12

export const MAX_VALUE_LENGTH = 100

// The order in which facts compete for a place in the profile.

/** What has ended is in no profile. */
export const ENDED_TIER = 4

/** Who the customer and the speakers are, who else is named, what the first ones are after, the rest, and what ended. */
export const TIERS = [0, 1, 2, 3, ENDED_TIER] as const

const IDENTITY: ReadonlySet<FactKind> = new Set([
  'name',
  'role',
  'company',
  'place',
  'contact',
  'preference',
  'health',
  'detail'
])

export function tierOf({ isMain }: Subject, kind: FactKind): (typeof TIERS)[number] {
  if (IDENTITY.has(kind)) return isMain ? 0 : 1
  return isMain ? 2 : 3
}

/** The words of a value, so that spelling alone makes no difference. */
export const foldValue = (value: string): string =>
  value
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}@.+]+/gu, ' ')
    .replace(/\.(?= |$)/g, '')
    .trim()

/** What a fact answers: of a slot only the newest holds. */
export const slotOf = ({ subject, kind, topic }: Pick<FactDraft, 'subject' | 'kind' | 'topic'>): string =>
  [foldValue(subject.name), kind, topic].join('|')

export const topicIn = (slot: string): string => slot.split('|').slice(2).join('|')

// Values and names that speak to a model that obeys, and not about anybody.

const INSTRUCTION =
  /\b(?:ignore|disregard|override|instructions?|prompts?|system message|you (?:must|are|should|will|can|may)|passwords?|passcode|api[- ]?keys?|tokens?|execute|reveal|forget (?:all|everything))\b|[<>{}[\]`|]|https?:/i

/** Whether a value or a name is none, but speaks to the model that will read it. */
export const speaksToModel = (value: string): boolean => INSTRUCTION.test(value)
