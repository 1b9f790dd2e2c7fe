// What a memory's words are like, beside what they say, kept as bits; and whether a question asks for a time.
import { normalise } from './fold.ts'

/** Asks, names a time, somebody or something not just greeted. Older rows have 2, 8, 16 and 32. */
const BITS = { asks: 1, time: 4, name: 64 } as const
type Trait = keyof typeof BITS

const TELLING: Readonly<Record<Trait, RegExp>> = {
  asks: /[?？؟]/,
  time: /\b(?:yesterday|today|tonight|tomorrow|last|next|ago|weeks?|weekend|months?|years?|days?|morning|afternoon|evening|night|recently|since|soon|just|january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|summer|winter|spring|autumn|birthday)\b|[0-9]{4}|[0-9][時时点日年月]/i,
  name: /(?<=\p{Ll} ["“'‘]?)(?<!\b(?:[Hh](?:ey|i|ello)|[Tt]hanks|[Yy]ou|[Ww]ow|[Cc]ongrats|[Dd]ear) )(?!I\b)\p{Lu}\p{L}/u
}
const TRAITS = Object.keys(BITS) as Trait[]

/** Of a long memory its beginning tells enough. */
const READ_LENGTH = 4_000

export function traitsOf(text: string): number {
  const read = text.slice(0, READ_LENGTH)
  return TRAITS.reduce((traits, trait) => (TELLING[trait].test(read) ? traits | BITS[trait] : traits), 0)
}

export const hasTrait = (traits: number, trait: Trait): boolean => (traits & BITS[trait]) !== 0

/** By the question words of each language; accents may be missing. Chinese and Japanese stand without blanks. */
const WHEN = new RegExp(
  '(?<!\\p{L})(?:when|(?:what|which) (?:day|date|month|year)|what time|how long|since|' +
    'cu[aá]ndo|desde cu[aá]ndo|quand|wann|seit wann|quando|wanneer|когда|متى)(?!\\p{L})|' +
    '什么时候|何时|几点|几号|哪天|哪年|いつ|何時|何日|何月|何年|何曜日',
  'u'
)

export const asksWhen = (question: string): boolean => WHEN.test(normalise(question).toLowerCase())
