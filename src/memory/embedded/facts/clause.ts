// What is said of a subject, in a form that few patterns can read: short forms written out, the main verb first, and
// apart from it whether it is said to be so, no more so, or not yet so.
import type { Subject } from './fact.ts'

interface Predicate {
  verb: string
  rest: string
  isDenied: boolean
  /** Denied as something that was so before: `no longer`, `not … anymore`, `used to`. */
  isEnded: boolean
  /** `is going to`, `will`: not yet so. */
  isAhead: boolean
  /** `used to`: so before, which need not have ended for what is felt. */
  isPast: boolean
}

export interface Clause extends Predicate {
  subject: Subject
  person: 'I' | 'we' | 'other'
  isPlural: boolean
}

const SHORT_FORMS: readonly (readonly [RegExp, string])[] = [
  [/\bwon't\b/gi, 'will not'],
  [/\bcan't\b/gi, 'cannot'],
  [/n't\b/g, ' not'],
  [/\bI'm\b/gi, 'I am'],
  [/'re\b/g, ' are'],
  [/'ve\b/g, ' have'],
  [/'ll\b/g, ' will'],
  [/\b(I|he|she|they|we|it|you|there|that)'d\b/gi, '$1 would'],
  [/\b(he|she|it|that|there|here|what|who)'s\b/gi, '$1 is'],
  [/\bname's\b/gi, 'name is'],
  [/\bgonna\b/g, 'going to'],
  [/\bwanna\b/g, 'want to']
]

export function writtenOut(sentence: string): string {
  if (!/['’]|nna\b/.test(sentence)) return sentence
  const straight = sentence.replace(/’/g, "'")
  return SHORT_FORMS.reduce((text, [form, full]) => text.replace(form, full), straight)
}

interface Step {
  piece: RegExp
  says?: Partial<Predicate>
}

const ENDED = { isDenied: true, isEnded: true }

/** What stands before the main verb. Each takes a piece from the front, over and over. */
const STEPS: readonly Step[] = [
  {
    piece:
      /^(?:also|just|really|now|currently|still|actually|recently|finally|always|already|usually|generally|mostly|mainly|definitely|absolutely|totally|truly|especially|particularly|officially|only|both|so|very|presently|strongly|typically|normally|even|personally|simply|happily|proudly) /i
  },
  { piece: /^no longer /i, says: ENDED },
  { piece: /^(?:do |does )?not /i, says: { isDenied: true } },
  {
    piece: /^used to (?!be used\b|it\b|the\b|this\b|that\b|being\b|having\b)/i,
    says: { ...ENDED, isPast: true }
  },
  { piece: /^(?:have |has )?(?:stopped|quit) (?=\p{L}+ing\b)/iu, says: ENDED },
  { piece: /(?<=^(?:am|is|are) )no longer /i, says: ENDED },
  { piece: /(?<=^(?:am|is|are) )not /i, says: { isDenied: true } },
  {
    piece: /^(?:am|is|are) going to (?=(?!(?:an?|the|my|our|his|her|their|its|this|that|some)\b)\p{Ll})/u,
    says: { isAhead: true }
  },
  { piece: /^(?:will|shall) /i, says: { isAhead: true } },
  { piece: /^(?:have|has) (?=been )/i },
  { piece: /^(?:have|has) (?=\p{L}+(?:ed|t|wn|de|ght|ld)\b)/iu },
  {
    piece: /(?<=^(?:am|is|are) )(?:now|currently|still|also|just|actually|already|officially|both) /i
  },
  { piece: /^(?:am|is|are|been) (?=(?!going (?!to (?:an? |the |my |our |\p{Lu})))\p{L}{2,}ing\b)/iu }
]

const MOST_STEPS = 6
const ENDED_TAIL = /[ ,]+(?:any ?more|any longer)(?=$|[ ,;.!])/i

export function readPredicate(text: string): Predicate | undefined {
  const says = { isDenied: false, isEnded: false, isAhead: false, isPast: false }
  let left = text
  for (let taken = 0; taken < MOST_STEPS; taken += 1) {
    const step = STEPS.find(({ piece }) => piece.test(left))
    if (!step) break
    left = left.replace(step.piece, '')
    Object.assign(says, step.says)
  }
  if (says.isDenied && ENDED_TAIL.test(left)) {
    says.isEnded = true
    left = left.replace(ENDED_TAIL, '')
  }
  const [, verb, rest] = /^(\p{L}[\p{L}'-]{0,20})(?= |$|[.!,]) ?(.*)$/u.exec(left) ?? []
  return verb === undefined || rest === undefined ? undefined : { verb: verb.toLowerCase(), rest, ...says }
}
