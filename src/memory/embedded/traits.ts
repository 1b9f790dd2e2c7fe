// What a memory's words are like, beside what they say, kept as bits; and what kind of thing a question asks for.
import { normalise } from './fold.ts'

/** Asks, speaks of whoever says it, names a time, a place, a number, a reason, somebody or something not just greeted. */
const BITS = { asks: 1, firstPerson: 2, time: 4, place: 8, number: 16, reason: 32, name: 64 } as const
type Trait = keyof typeof BITS

const TELLING: Readonly<Record<Trait, RegExp>> = {
  asks: /[?？؟]/,
  firstPerson: /\b(?:i|i'm|i've|i'd|me|my|we|our)\b/i,
  time: /\b(?:yesterday|today|tonight|tomorrow|last|next|ago|weeks?|weekend|months?|years?|days?|morning|afternoon|evening|night|recently|since|soon|just|january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|summer|winter|spring|autumn|birthday)\b|[0-9]{4}|[0-9][時时点日年月]/i,
  place:
    /\b(?:in|at|to|from|near) (?:the )?\p{Lu}|\b(?:city|town|country|park|beach|street|cafe|restaurant|studio|home|house|store|shop|school|state|club|gym|museum|mountains?|lake|island|coast)\b/u,
  number:
    /[0-9]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|few|couple|several|once|twice|first|second|third|half|many)\b/i,
  reason:
    /\b(?:because|since|so that|reason|inspired?|motivat\w*|want(?:ed)?|helps?|love|makes?|made me|due to|decided|for|reminds?|to)\b/i,
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

export type Cue = 'time' | 'place' | 'number' | 'reason'

/** Chinese and Japanese stand without blanks. */
const asking = (words: string, unspaced: string): RegExp =>
  new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})|${unspaced}`, 'u')

/** By the question words of each language; accents may be missing. */
const QUESTION_WORDS: Readonly<Record<Cue, RegExp>> = {
  time: asking(
    'when|(?:what|which) (?:day|date|month|year)|what time|how long|since|' +
      'cu[aá]ndo|desde cu[aá]ndo|quand|wann|seit wann|quando|wanneer|когда|متى',
    '什么时候|何时|几点|几号|哪天|哪年|いつ|何時|何日|何月|何年|何曜日'
  ),
  place: asking(
    'where|(?:which|what) (?:city|country|place|town)|' +
      'ad?d[oó]nde|d[oó]nde|o[uù] (?:est|sont|se)|où|wo|wohin|woher|onde|aonde|dove|waar|где|куда|откуда|أين',
    '哪里|哪儿|什么地方|どこ'
  ),
  number: asking(
    'how (?:many|much|often|old|long)|' +
      'cu[aá]nt[oa]s?|combien|wie ?(?:viele?|oft|alt|lange)|quant[oaie]s?|hoe ?(?:veel|vaak|oud|lang)|сколько|كم',
    '多少|几个|几次|几岁|多久|いくつ|いくら|何人|何回|何歳|何台|何個'
  ),
  reason: asking(
    'why|what (?:made|motivated|inspired|caused)|' +
      'por qu[eé]|pourquoi|warum|wieso|weshalb|perch[eé]|waarom|почему|зачем|لماذا',
    '为什么|为何|なぜ|どうして'
  )
}
const CUES = Object.keys(QUESTION_WORDS) as Cue[]

export function cuesOf(question: string): ReadonlySet<Cue> {
  const text = normalise(question).toLowerCase()
  return new Set(CUES.filter((cue) => QUESTION_WORDS[cue].test(text)))
}
