// From a sentence to facts: its clauses, whose each is, and what the readers make of it.
import { wordList } from '../word-lists.ts'
import { type Clause, readPredicate, writtenOut } from './clause.ts'
import type { Subject } from './fact.ts'
import { EVENT_READERS, PLAN_READERS, readAhead, readBusiness } from './read-events.ts'
import { LIFE_READERS } from './read-life.ts'
import { RELATION_READERS, readForm, readPossessed } from './read-possessed.ts'
import { readRequest, TASTE_READERS } from './read-taste.ts'
import { introductionsIn, WORK_READERS } from './read-work.ts'
import { type Finding, isCalendarWord, NAME, type Reader } from './reading.ts'
import { isReported } from './sentences.ts'
import { isNoName } from './subjects.ts'
import { CUSTOMER } from './told-lines.ts'

/** Which readers a clause goes to: those of its verb, so that most sentences meet none. */
const byVerb = new Map<string, Reader[]>()
const ALL_READERS = [WORK_READERS, LIFE_READERS, RELATION_READERS, TASTE_READERS, PLAN_READERS, EVENT_READERS]
for (const reader of ALL_READERS.flat()) {
  for (const verb of wordList(reader[0])) byVerb.set(verb, [...(byVerb.get(verb) ?? []), reader])
}

function readClause(clause: Clause): readonly Finding[] {
  const readers = byVerb.get(clause.verb) ?? []
  const found = readers.flatMap(([, unless, read]) =>
    unless.some((claim) => clause[claim]) ? [] : read(clause)
  )
  return found.length > 0 ? found : readAhead(clause)
}

export type Statement = ReturnType<typeof about>[number]

const OPENING =
  /^(?:(?:yeah|yes|yep|yup|nope|no|sure|well|oh|hey|hi|hello|wow|thanks|thank you|great|nice|cool|ok|okay|so|and|but|also|by the way|btw|anyway|honestly|unfortunately|sadly|luckily|recently|lately|fyi|update|reminder|note|today|yesterday|last (?:week|month|year|night|weekend)|this (?:week|month|year|morning)|nowadays|currently|now|these days|as of (?:today|now)|good news|bad news|in fact|actually|oh well|haha|lol|please note(?: that)?)(?:,? (?:again|everyone|all|there|\p{Lu}[\p{L}'-]{1,20}))?(?:[,!:–—-]+|(?= (?:I|we|my|he|she|the customer)\b)) ?)+/iu

const SUBJECT =
  "(?:I|[Mm]y|[Ww]e|[Oo]ur|[Hh]e|[Ss]he|[Hh]is|[Tt]hey|[Ii]t|[Tt]hat|[Tt]his|[Tt]here|[Yy]ou|[Yy]our|[Ww]hat|[Tt]he (?:customer|client|caller|user))(?![\\p{L}'-])"
const NEXT_SUBJECT = new RegExp(
  `(?:[,;:—–]| -)\\s+(?:(?:and|but|so|because|since|as|although|though|while|however|then|or)\\s+)?(?:(?:now|then|currently|today|instead|yes|no),? )?(?=${SUBJECT})|\\s+(?:and|but|so|because|although|though|while|since)\\s+(?:(?:now|then|currently|today|instead),? )?(?=${SUBJECT})`,
  'u'
)
const NEXT_VERB =
  /(?:,|;)? (?:and|but) (?:now |also |still |currently |recently |then )?(?=(?:works|lives?|prefers?|likes|loves|enjoys?|hates?|dislikes?|wants|plans|(?:work|love|like|want|plan) (?:at|to|for|my|the|an?) |is (?:a|an|the|based|allergic|moving|planning)|am (?:a|an|the|based|allergic|moving|planning)|moved|relocated|speaks?|(?:do|does) not|no longer|got|bought|sold|joined|became|was promoted|left|quit)\b)/

/** What the customer itself reports in a note: as good as said by it. */
const CUSTOMER_SAYS =
  /^(?:the |this |our )?(?:customer|client|caller|user|lead|prospect|patient|guest)(?: has)? (?:said|says|told (?:us|me)|mentioned|mentions|confirmed|confirms|stated|states|explained|reports|reported)(?: that)? (?:he|she|they|it) /i

/** `Call with Dana Reyes (CFO): …` */
const HEADING = /^(?:\p{L}+ ){1,3}(?=\p{Lu})[^:.]{2,80}: /u

/** A note's sentence that leaves its subject out: `Prefers calls`, `Moved to Lisbon`. */
const SUBJECTLESS =
  /^(?:(?:also|now|currently|still|no longer|always|really|recently|strongly|does not|has|has been|used to|will be|will) )*(?:works|working|lives|living|prefers|likes|loves|enjoys|hates|dislikes|wants|hopes|aims|plans|planning|speaks|based|allergic|vegetarian|vegan|lactose|relocated|moved|moving|relocating|joined|founded|promoted|retired|became|graduated|renewed|cancelled|canceled|signed|upgraded|downgraded|bought|sold|got (?:married|engaged|divorced|promoted)|launching|opening|switching|migrating|launched|opened|is (?:an?|the|not|no longer|now|based|allergic|planning|moving|vegetarian|vegan)|does not) /i

export function statementsIn(sentence: string, discourse: Discourse): Statement[] {
  const spoken = writtenOut(sentence).replace(OPENING, '')
  const told = discourse.isNote ? spoken.replace(CUSTOMER_SAYS, 'Customer ') : spoken
  if (isReported(told)) return []

  const introduced = introductionsIn(told).flatMap(({ name, findings }) => {
    discourse.lastNamed = { name, isMain: false }
    return about(discourse.lastNamed, findings)
  })
  const text = discourse.isNote ? told.replace(HEADING, '') : told
  return [
    ...introduced,
    ...(discourse.isNote && discourse.topic ? about(discourse.topic, readForm(text)) : []),
    ...(discourse.isNote ? about(CUSTOMER, readBusiness(text)) : []),
    ...about(discourse.speaker, readRequest(text)),
    ...clausesIn(text, discourse),
    ...about(discourse.speaker, relativesIn(text))
  ]
}

const about = (subject: Subject, findings: readonly Finding[]) =>
  findings.map((finding) => ({ subject, finding }))

function clausesIn(text: string, discourse: Discourse): Statement[] {
  const statements: Statement[] = []
  for (const part of text.split(NEXT_SUBJECT)) {
    let last: Named | undefined
    for (const piece of part.split(NEXT_VERB)) {
      const named: Named | undefined = last
        ? { ...last, rest: piece }
        : (subjectless(piece, discourse) ?? nameSubject(piece, discourse))
      if (!named || !agrees(named, last !== undefined)) break
      const findings = findingsOf(named)
      statements.push(...about(named.subject, findings))
      if (named.person === 'other' && (named.isPerson || findings.length > 0))
        discourse.lastNamed = named.subject
      if (!goesOn(named, findings)) break
      last = named
    }
  }
  return statements
}

/** Whether the next verb has the same subject. In "my brother works at Acme and lives in Rome" it isn't the speaker. */
const goesOn = ({ person, isOwner, rest }: Named, findings: readonly Finding[]): boolean =>
  !isOwner && !/\b(?:who|which|that|whose)\b/.test(rest) && (person !== 'other' || findings.length > 0)

/** `I … and work`, `she … and works`: and "Feels like home" isn't somebody called Feels who likes home. */
function agrees({ person, isOwner, rest }: Named, isContinued: boolean): boolean {
  const [verb = ''] = rest.replace(/^(?:now|also|still|currently|recently|then) /, '').split(' ', 1)
  if (person !== 'other') return !isContinued || verb === 'was' || !verb.endsWith('s')
  return isOwner || !/^(?:am|live|prefer|enjoy|hate|dislike|work|love|like|want|plan|speak|do)$/.test(verb)
}

const subjectless = (piece: string, { isNote, topic }: Discourse): Named | undefined =>
  isNote && topic && SUBJECTLESS.test(piece)
    ? { ...other(topic, piece.charAt(0).toLowerCase() + piece.slice(1), false), isPerson: false }
    : undefined

function findingsOf({ subject, person, isOwner, rest }: Named): readonly Finding[] {
  if (isOwner) return person === 'we' ? [] : readPossessed(rest)
  const predicate = readPredicate(rest)
  if (!predicate) return []
  return readClause({ ...predicate, subject, person, isPlural: person === 'we' })
}

/** `… with my sister Maria …`, wherever it stands. */
function relativesIn(text: string): readonly Finding[] {
  return [...text.matchAll(/(?<=[\s(,])my (?=[a-z])/g)]
    .slice(0, 3)
    .flatMap(({ index }) => readPossessed(text.slice(index + 3)).filter(({ kind }) => kind === 'relation'))
}

// Whom the words of a sentence mean: `I`, `she`, `the customer`, a name, or nobody at all, as notes are written.

export interface Discourse {
  speaker: Subject
  /** Nobody's turn: a note about the customer. */
  isNote: boolean
  /** Whom a note is about without naming them; nobody if it names several. */
  topic: Subject | undefined
  /** Nothing was said yet that `he` or `she` could point back to. */
  isOpening: boolean
  lastNamed: Subject | undefined
}

interface Named {
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
/** At a sentence's start: of several words as `peopleIn` finds them, or one that can be a first name. */
const NAMED = new RegExp(`^(?:(?:Mr|Mrs|Ms|Dr|Prof)\\.? )?(?<name>${NAME})(?<owns>'s)? (?=\\p{Ll})`, 'u')

/** Written large where a sentence begins, and nobody's name. */
const NO_NAME =
  /^(?:everyone|everybody|someone|somebody|anyone|nobody|one|two|three|yes|yeah|yep|ok|okay|oh|wow|hey|thanks|thank|please|sure|sorry|maybe|perhaps|glad|great|good|nice|cool|awesome|love|life|work|family|people|kids|music|art|nature|time|being|having|getting|going|doing|looking|would|should|might|must|let|lets|deal|office|headquarters|hq|team|warehouse|business|launch|project|party|store|shop|production|data|servers?|website|app|product|service|software|platform|god|management|sales|marketing|finance|legal|engineering|everything|nothing|something|anything|admin)$/i

const FIRST_PERSONS = [
  [/^I /, 'I', false],
  [/^my /i, 'I', true],
  [/^we /i, 'we', false],
  [/^our /i, 'we', true]
] as const

const PRONOUN = /^(?:he|she) /i
const THEIRS = /^(?:his|her) /i

function nameSubject(clause: string, discourse: Discourse): Named | undefined {
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

const other = (subject: Subject, rest: string, isOwner: boolean): Named => ({
  subject,
  person: 'other',
  isPerson: true,
  isOwner,
  rest
})

function nameAtStart(clause: string, { speaker }: Discourse): Named | undefined {
  const { 0: whole = '', groups } = NAMED.exec(clause) ?? {}
  const name = groups?.name
  if (name === undefined || isCalendarWord(name)) return undefined
  const [first = ''] = name.split(' ', 1)
  if ([name, first].some((word) => NO_NAME.test(word) || isNoName(word, 'en'))) return undefined
  const subject = name === speaker.name ? speaker : { name, isMain: false }
  const isPerson = name === speaker.name || name.includes(' ') || !whole.startsWith(name)
  return { ...other(subject, clause.slice(whole.length), groups?.owns !== undefined), isPerson }
}
