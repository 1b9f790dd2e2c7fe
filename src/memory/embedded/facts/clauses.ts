// The clauses of an English sentence: whose each is, and what it says of them in a form that few patterns can read.
import { isSameName } from '../names.ts'
import type { Subject } from './fact.ts'
import { isNoName, peopleIn } from './names.ts'
import { isReported } from './sentences.ts'
import { CUSTOMER } from './told-lines.ts'

/** Of whom something is said; `we` are many, who share plans and places, but no job and no taste. */
interface Whose {
  subject: Subject
  person: 'I' | 'we' | 'other'
}

/** How it is said: denied, denied as something that was so before (`no longer`, `used to`), or not yet so (`will`). */
interface Manner {
  isDenied: boolean
  isEnded: boolean
  isAhead: boolean
}

export interface Clause extends Whose, Manner {
  /** From its main verb, with `is` for each form of it; behind `own`, what belongs to the subject. */
  text: string
}

/** Whom the words of a sentence may mean. */
export interface Speech {
  /** Whose `I` it is: a note's is the customer's. */
  author: Subject
  /** Whom the sentence is about. */
  subject: Subject | undefined
  /** Whom `he` or `she` means. */
  they: Subject | undefined
}

/** Short forms by what they end in. */
const WRITTEN_OUT: readonly (readonly [RegExp, string])[] = [
  [/’/g, "'"],
  [/\bwon't\b/gi, 'will not'],
  [/\bcan't\b/gi, 'cannot'],
  [/n't\b/g, ' not'],
  [/'m\b|(?<=\b(?:he|she|it|that|who|name))'s\b|'re\b/gi, ' is'],
  [/'ve\b/g, ' have'],
  [/'ll\b/g, ' will'],
  [/'d\b/g, ' would'],
  [/\b([ap])\.m\.?/gi, '$1m']
]

const CUSTOMERS =
  '(?:[Tt]he |[Tt]his |[Oo]ur )?(?:[Cc]ustomer|[Cc]lient|[Cc]aller|[Uu]ser|[Pp]atient|[Gg]uest|[Ll]ead)'

/** What the customer itself reports in a note: as good as said by it. */
const CUSTOMER_SAYS = new RegExp(
  `^${CUSTOMERS}(?: has)? (?:said|says|told (?:us|me)|mention(?:s|ed)|confirm(?:s|ed)|explain(?:s|ed)|report(?:s|ed))(?: that)? (?:he|she|they) `
)

const OPENING =
  /^(?:(?:yeah|yes|no|well|oh|hey|hi|hello|thanks|so|and|but|also|by the way|update|note|reminder|fyi|recently|lately|today|yesterday|now|currently|as of (?:now|today)|(?:last|this) \p{L}{4,7})(?:[,!:–—-]{1,2} ?| (?=(?:I|[Ww]e|[Mm]y|[Hh]e|[Ss]he) ))){1,3}/iu

/** `Call with Dana Reyes (CFO): …` */
const HEADING = /^(?:\p{L}{1,20} ){1,3}(?=\p{Lu})[^:.]{2,80}: /u

const ADVERB =
  '(?:also|just|really|now|currently|still|actually|recently|finally|always|already|usually|generally|mostly|mainly|definitely|absolutely|officially|only|both|so|very|strongly|normally|even|personally|simply|then)'
const SUBJECT = `(?:I|[Mm]y|[Ww]e|[Oo]ur|[Hh]e|[Ss]he|[Hh]is|[Tt]hey|[Ii]t|[Tt]hat|[Tt]his|[Tt]here|[Yy]ou|[Yy]our|[Ww]hat|[Pp]lease|${CUSTOMERS})(?![\\p{L}'-])`
const VERB =
  '(?:works|lives?|prefers?|likes|loves|enjoys?|hates?|dislikes?|wants|plans|speaks?|(?:work|love|like|want|plan) (?:at|to|for|my|the|an?)|(?:is|am) (?!not)|based|allergic|moved|relocated|do(?:es)? not|no longer|got|bought|sold|joined|became|left|quit|(?:promot|retir|sign|renew|cancell?|open|launch|upgrad)e?d|hopes|aims|planning|moving)(?![\\p{L}-])'
const JOIN = '(?:and|but|so|because|since|as|although|though|while|however|then)'

/** Where another clause begins: with its subject, or with a verb that has the one before it. */
const NEXT = new RegExp(
  `(?:(?:[,;:—–]| -) (?:${JOIN} )?| ${JOIN} )(?:(?:${ADVERB}|today|instead|yes|no),? )?(?=${SUBJECT})|[,;]? (?:and|but) (?=(?:${ADVERB} )?${VERB})`,
  'u'
)

/** At a sentence's start: of up to three words, or one that can be a first name. */
export const NAME = "\\p{Lu}[\\p{L}\\p{M}'’-]{1,24}(?: (?:\\p{Lu}[\\p{L}\\p{M}'’-]{1,24}|\\p{Lu}\\.)){0,2}"
const START = new RegExp(
  `^(?:(?<first>I|[Mm]y|[Ww]e|[Oo]ur)|(?<please>[Pp]lease)|(?<they>[Hh]e|[Ss]he|[Hh]is|[Hh]er)|(?:(?<customer>${CUSTOMERS})|(?:(?:Mr|Mrs|Ms|Dr|Prof)\\.? )?(?<name>${NAME}?))(?<owns>'s)?) (?=\\p{Ll})`,
  'u'
)

/** Written large where a sentence begins, and nobody's name. */
const NO_NAME =
  /^(?:\p{L}+(?:body|thing|one|ing)|one|two|three|thanks?|please|sorry|maybe|glad|great|good|nice|love|life|work|family|people|kids|team|office|headquarters|business|management|sales|finance|support|production|deal|launch|project|party|store|shop|data|website|app|product|service|software|budget|meeting)$/iu

/** A piece of a sentence behind its subject. */
interface Piece extends Whose {
  isOwned: boolean
  rest: string
}

/** What a sentence states, clause by clause. */
export function clausesIn(sentence: string, speech: Speech): Clause[] {
  const isNote = speech.author === CUSTOMER
  const written = WRITTEN_OUT.reduce((text, [short, full]) => text.replace(short, full), sentence)
  const opened = written.replace(OPENING, '')
  const told = isNote ? opened.replace(CUSTOMER_SAYS, 'Customer ') : opened
  if (isReported(told)) return []
  const pieces = introductionsIn(told, speech)
  let { they } = speech
  speech.they = undefined
  let last: Piece | undefined
  for (const [at, text] of (isNote ? told.replace(HEADING, '') : told).split(NEXT).entries()) {
    const begun = begunBy(text, { ...speech, they })
    const piece = begun ?? goingOn(text, at === 0 && isNote ? speech.subject : last)
    if (begun?.person === 'other' && isKnown(begun.subject, speech)) speech.they = they = begun.subject
    if (piece) pieces.push(piece)
    last = piece && !piece.isOwned && !/\b(?:who|which|that|whose)\b/.test(piece.rest) ? piece : undefined
    for (const { index } of [...text.matchAll(/(?<=[\s(,])my (?=\p{Ll})/gu)].slice(0, 3))
      pieces.push({ subject: speech.author, person: 'I', isOwned: true, rest: text.slice(index + 3) })
  }
  return pieces.filter(agrees).map(clauseOf)
}

function begunBy(text: string, speech: Speech): Piece | undefined {
  const { 0: whole, groups } = START.exec(text) ?? {}
  if (!whole || !groups) return undefined
  const { first, they, customer, owns, please, name = '' } = groups
  if (customer && speech.author !== CUSTOMER) return undefined
  const isOwned = owns !== undefined || /^(?:my|our|his|her)$/i.test(first ?? they ?? '')
  const rest = text.slice(whole.length)
  if (first) return { subject: speech.author, person: /^[wo]/i.test(first) ? 'we' : 'I', isOwned, rest }
  const subject = they ? speech.they : please ? speech.subject : customer ? CUSTOMER : personOf(name, speech)
  return subject && { subject, person: 'other', isOwned, rest: please ? `please ${rest}` : rest }
}

function personOf(name: string, { author, subject }: Speech): Subject | undefined {
  const [word = ''] = name.split(' ', 1)
  if (NO_NAME.test(word) || IS_VERB.test(word) || isNoName(word, 'en')) return undefined
  return [author, subject].find((one) => one && isSameName(one.name, name)) ?? { name, isMain: false }
}

/** A word that begins a sentence may be a thing's name. */
const isKnown = (one: Subject, { author, subject }: Speech): boolean =>
  one.name.includes(' ') || [CUSTOMER, author, subject].includes(one)

/** A note's sentence that leaves its subject out, `Prefers calls`, or a next verb of the same subject. */
function goingOn(text: string, whose: Piece | Subject | undefined): Piece | undefined {
  if (!whose || OTHER_SUBJECT.test(text)) return undefined
  if ('person' in whose) return { ...whose, rest: text }
  return {
    subject: whose,
    person: 'other',
    isOwned: false,
    rest: text.charAt(0).toLowerCase() + text.slice(1)
  }
}

const IS_VERB = new RegExp(`^${VERB}$`, 'iu')
const OTHER_SUBJECT = new RegExp(`^${SUBJECT}`)

/** `I … and work`, `she … and works`: and `Feels like home` isn't somebody called Feels who likes it. */
const agrees = ({ person, isOwned, rest }: Piece): boolean =>
  isOwned || !(person === 'other' ? FIRST_PERSON : THIRD_PERSON).test(rest)

const THIRD_PERSON = new RegExp(`^(?:${ADVERB} )?(?!was |is )\\p{L}{1,20}s `, 'u')
const FIRST_PERSON = /^(?:am|live|prefer|enjoy|hate|dislike|work|love|like|want|plan|speak|do|have) /

/** `Dana Reyes (CFO at Northwind)`, `Dana Reyes, CFO of Northwind, …`: said in passing of somebody named. */
const introductionsIn = (text: string, speech: Speech): Piece[] =>
  (/[,(]/.test(text) ? peopleIn(text, 'en') : []).flatMap(({ name, index }) => {
    const [, told] = INTRODUCED.exec(text.slice(index + name.length)) ?? []
    const subject = personOf(name, speech)
    return told && subject ? [{ subject, person: 'other', isOwned: false, rest: `is the ${told}` }] : []
  })

const INTRODUCED = /^(?: \(|, )(?:an? |the |our |their )?(\p{L}.*)$/u

const HOLDS: Manner = { isDenied: false, isEnded: false, isAhead: false }
const IS_SO = new RegExp(`^is ((?:(?:${ADVERB}|not|no longer) ){1,3})`)

/** What stands before the main verb. */
const LEAD = new RegExp(
  `^(?:${ADVERB} |no longer |(?:do |does |did )?not |used to |(?:have |has )?(?:stopped|quit) (?=\\p{L}{2,20}ing\\b)|will (?:be )?|shall |is going to (?=(?!(?:an?|the|my|our|his|her|their)\\b)\\p{Ll})|(?:have|has) (?=\\p{L}{2,20}(?:ed|ft|ght|ld|de|me)\\b)|is (?=(?!going\\b)\\p{L}{2,20}ing\\b)){0,6}`,
  'u'
)
const ENDED_TAIL = /[ ,]{1,2}(?:any ?more|any longer)(?=$|[ ,;.!])/i

function clauseOf({ subject, person, isOwned, rest }: Piece): Clause {
  if (isOwned) return { subject, person, ...HOLDS, text: `own ${rest}` }
  const said = rest.replace(/^(?:am|are|is|(?:has|have) been)(?= )/, 'is').replace(IS_SO, '$1is ')
  const [lead = ''] = LEAD.exec(said) ?? []
  const left = said.slice(lead.length)
  const isDenied = /\b(?:not|no longer|used to|stopped|quit) /.test(lead)
  const text = isDenied ? left.replace(ENDED_TAIL, '') : left
  const isEnded = isDenied && (text !== left || !/\bnot /.test(lead))
  return { subject, person, text, isDenied, isEnded, isAhead: /\b(?:will|shall|going to) /.test(lead) }
}
