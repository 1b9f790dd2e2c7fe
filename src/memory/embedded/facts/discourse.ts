// Whom the words of a sentence mean: `I`, `she`, `the customer`, a name, or nobody at all, as notes are written.
import type { Subject } from './fact.ts'
import { isCalendarWord, NAME } from './reading.ts'
import { CUSTOMER } from './told-lines.ts'

export interface Discourse {
  speaker: Subject
  /** Nobody's turn: a note about the customer. */
  isNote: boolean
  /** Whom a note is about without naming them: the one that it says was called or met, else the customer. */
  topic: Subject
  /** Nothing was said yet that `he` or `she` could point back to. */
  isOpening: boolean
  lastNamed: Subject | undefined
}

export interface Named {
  subject: Subject
  person: 'I' | 'we' | 'other'
  /** Surely a person, and not a thing whose name begins the sentence. */
  isPerson: boolean
  /** Whether what follows belongs to the subject, instead of being said of it. */
  isOwner: boolean
  rest: string
}

const CUSTOMER_START =
  /^(?:the |this |our )?(?:customer|client|caller|user|lead|prospect|patient|guest|buyer)('s)? /i
const TITLE = '(?:(?:Mr|Mrs|Ms|Dr|Prof)\\.? )?'
const NAMED = new RegExp(`^(?<title>${TITLE})(?<name>${NAME})(?= \\p{Ll})`, 'u')
const OWNED = new RegExp(`^(?<title>${TITLE})(?<name>${NAME})'s `, 'u')

/** Written large where a sentence begins, and nobody's name. */
const NO_NAME =
  /^(?:the|this|that|these|those|it|its|there|here|he|she|they|we|you|i|my|your|our|his|her|their|everyone|everybody|someone|somebody|anyone|nobody|no|not|all|some|any|most|many|both|each|every|another|other|others|one|two|three|who|what|which|when|where|why|how|if|and|but|or|so|because|since|although|though|while|after|before|yes|yeah|yep|ok|okay|well|oh|wow|hey|hi|hello|thanks|thank|please|sure|sorry|maybe|perhaps|today|yesterday|tomorrow|now|then|next|last|also|just|really|still|never|always|glad|great|good|nice|cool|awesome|love|life|work|family|people|kids|children|music|art|nature|time|being|having|getting|going|doing|looking|can|could|will|would|should|may|might|must|do|does|did|is|are|was|were|has|have|had|let|lets|budget|contract|deal|office|headquarters|hq|team|meeting|call|appointment|delivery|warehouse|support|company|business|deadline|launch|project|event|party|store|shop|production|data|server|servers|system|account|website|app|invoice|payment|order|product|service|software|platform|tool|plan|account|mom|dad|god|management|sales|marketing|finance|legal|engineering|everything|nothing|something|anything|instructions?|assistant|agent|ai|bot|model|admin|operator|developer)$/i

const FIRST_PERSONS = [
  [/^I /, 'I', false],
  [/^my /i, 'I', true],
  [/^we /i, 'we', false],
  [/^our /i, 'we', true]
] as const

const PRONOUN = /^(?:he|she) /i
const THEIRS = /^(?:his|her) /i

export function nameSubject(clause: string, discourse: Discourse): Named | undefined {
  const { speaker, isNote, isOpening, topic, lastNamed } = discourse
  const customerStart = CUSTOMER_START.exec(clause)
  if (!customerStart) {
    for (const [start, person, isOwner] of FIRST_PERSONS) {
      const rest = clause.replace(start, '')
      if (rest !== clause) return { subject: speaker, isPerson: true, person, isOwner, rest }
    }
  }
  if (isNote && customerStart) {
    const [whole, genitive] = customerStart
    const rest = clause.slice(whole.length)
    const isOwner =
      genitive !== undefined && !/^(?:a|an|the|not|now|no|based|moving|working|living|allergic)\b/i.test(rest)
    const isShort = genitive !== undefined && !isOwner
    return { ...other(CUSTOMER, isShort ? `is ${rest}` : rest, isOwner), isPerson: false }
  }
  // A note that begins with `she` means the customer.
  const they = lastNamed ?? (isNote && isOpening ? topic : undefined)
  if (PRONOUN.test(clause)) return they && other(they, clause.replace(PRONOUN, ''), false)
  if (THEIRS.test(clause)) return they && other(they, clause.replace(THEIRS, ''), true)
  return nameAtStart(clause, discourse)
}

export const other = (subject: Subject, rest: string, isOwner: boolean): Named => ({
  subject,
  person: 'other',
  isPerson: true,
  isOwner,
  rest
})

function nameAtStart(clause: string, { speaker }: Discourse): Named | undefined {
  const owner = OWNED.exec(clause)?.groups
  const { title = '', name } = owner ?? NAMED.exec(clause)?.groups ?? {}
  if (name === undefined || isCalendarWord(name)) return undefined
  if (NO_NAME.test(name) || NO_NAME.test(name.split(' ', 1)[0] ?? '')) return undefined
  const rest = clause.slice(title.length + name.length + (owner === undefined ? 1 : 3))
  if (name === speaker.name) return other(speaker, rest, owner !== undefined)
  const named = other({ name, isMain: false }, rest, owner !== undefined)
  return { ...named, isPerson: title !== '' || name.includes(' ') }
}
