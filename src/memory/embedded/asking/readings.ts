// What each passage found says to a question: about whom, of which kind, how much of it.
import { analyse } from '../analyse.ts'
import {
  type Attribute,
  hasShape,
  isAgentWord,
  isCustomerWord,
  tellsAttribute,
  wordsFor
} from '../attributes/attribute.ts'
import { hasForm } from '../attributes/shapes.ts'
import { peopleIn } from '../facts/names.ts'
import { subjectsOf } from '../facts/subjects.ts'
import { fold } from '../fold.ts'
import type { Language } from '../language.ts'
import { isNamedIn, likeness, type Name, nameOf } from '../names.ts'
import { lazily } from '../port.ts'
import type { Hit, SearchResult } from '../search.ts'
import { hasTrait, traitsOf } from '../traits.ts'
import type { Asked } from './asked.ts'

const LOOKED_AT = 2_000
const MAX_SENTENCES = 60

/** A memory, and how much of each concept of the question stands in it. */
export type Found = Omit<Hit, 'score' | 'isMatch' | 'features'>

export type Read = ReturnType<typeof readPassage>

const FIELD_ENDS = / [|•·] | \/ (?=\p{L}[\p{L} .-]{1,24}: )/gu

/** Whom a passage speaks of, and sentence by sentence. */
export function readPassage(hit: Found, spoken: Language) {
  // A short memory may be of several languages.
  const languages = [...new Set([hit.language, spoken])]
  // `Owner: … | Phone: …` and `Owner: … / Phone: …` are forms, a field on each line.
  const text = hit.content.slice(0, LOOKED_AT).replace(FIELD_ENDS, '\n')
  const people = peopleIn(text, hit.language)
  const sentences = subjectsOf(text, hit.language)
    .slice(0, MAX_SENTENCES)
    .map(({ sentence, subject }) => {
      return { sentence, folded: fold(sentence), subject: subject ? nameOf(subject) : undefined }
    })
  const names = [
    ...(hit.author === null || isNobody(hit.author) ? [] : [hit.author]),
    ...people.map(({ name }) => name)
  ]
  const author = hit.author === null || isNobody(hit.author) ? undefined : nameOf(hit.author)
  return { hit, author, languages, sentences, folded: fold(text), names: names.map(nameOf) }
}

/** `Agent: …`, `Customer: …`: who speaks there isn't told by it. */
export const isNobody = (author: string): boolean => isAgentWord(author) || isCustomerWord(author)

/** Numbers by which people refer to a matter: of a ticket, a claim, an order. */
const CODE =
  /(?<![\p{L}\p{N}.,+/-]|\p{N} )(?:\p{Lu}{1,4}-?)?(?!(?:19|20)\p{N}{2}(?!\p{N}))\p{N}{4,8}(?![\p{N}.,:/ -]\p{N}|\p{N})/gu

export const codesIn = (content: string): string[] => content.slice(0, LOOKED_AT).match(CODE) ?? []

export const tells = (attribute: Attribute, sentence: string, languages: readonly Language[]): boolean =>
  languages.some((language) => tellsAttribute(attribute, sentence, language))

export type Reading = ReturnType<typeof judge>

/** Whoever speaks for a company that is asked about. */
const ALIAS = 1.2

/** By what a passage may be about whom it doesn't name. */
export interface Related {
  aliases: readonly Name[]
  codes: ReadonlySet<string>
}

/** What a session's turns before say of a passage. */
export interface Before {
  /** Of whom it is, where it names nobody: what an agent confirms. */
  person: Name | undefined
  /** The turn before, where it asks: what was asked there is told here. */
  asking: Found | undefined
  /** What was said, folded. */
  said: string
}

export function judge(
  read: Read,
  asked: Asked,
  { concepts }: Pick<SearchResult, 'concepts'>,
  { person: carried, asking, said }: Before,
  { aliases, codes }: Related
) {
  const { hit, sentences, folded } = read
  // Many passages have no word of the question: what their sentences are made of is then of no use.
  const terms = sentences.map(({ sentence }) => lazily(() => analyse(sentence).terms))
  const fits = sentences.map((sentence) => fitOf(sentence, asked, read, carried))
  const isAlias =
    codesIn(hit.content).some((code) => codes.has(code)) ||
    aliases.some((alias) => sentences.some(({ subject }) => subject && likeness(alias, subject) === 'same'))
  const person = asked.names.length === 0 ? 0 : Math.max(isAlias ? ALIAS : -1, ...fits)
  const told = new Map(
    asked.attributes.map((attribute) => [
      attribute,
      attributeIn(attribute, read, isAlias ? fits.map(() => ALIAS) : fits, asked)
    ])
  )
  const shareOf = (index: number): number =>
    Math.max(hit.shares[index] ?? 0, AS_REPLY * (asking?.shares[index] ?? 0))
  const wordsOf = (list: Asked['content'], isEvenUnknown = false): Wanted[] =>
    concepts.flatMap(({ terms, weight, isKnown }, index) => {
      const isAsked = list.some((own) => own.some((term) => terms.includes(term)))
      return isAsked && (isKnown || isEvenUnknown)
        ? [{ terms, weight, share: Math.min(shareOf(index), weight) }]
        : []
    })
  const wanted = wordsOf(asked.content)
  const inSentence = (list: readonly Wanted[]): number =>
    coverageOf(list) === 0
      ? 0
      : Math.max(
          0,
          ...terms.map((within, index) =>
            asked.names.length > 0 && (fits[index] ?? 0) < 0 && !isAlias ? 0 : coverageOf(list, within)
          )
        )
  const isCounted =
    asked.counted === undefined ||
    concepts.some(
      ({ terms }, index) =>
        asked.counted?.some((term) => terms.includes(term)) && (hit.shares[index] ?? 0) > 0
    )
  const text = hit.content.slice(0, LOOKED_AT)
  const traits = traitsOf(text)
  const isChange = read.languages.some((language) => wordsFor(language).change(hit.content))
  return {
    ...read,
    person,
    told,
    /** Of what it asks for first. */
    mostTold: Math.max(0, ...asked.primary.map((attribute) => told.get(attribute) ?? 0)),
    coverage: coverageOf(wanted),
    /** The same of the one sentence that has most of it. */
    inSentence: asking ? coverageOf(wanted) : inSentence(wanted),
    /** Whether one sentence has nearly all words of the question. */
    isLiteral: inSentence(wordsOf(asked.said, true)) >= LITERAL,
    isCounted: isCounted || (told.get('seats') ?? 0) === 1,
    /** Whether any word of what is asked about stands anywhere in the Mind. */
    isSaidAnywhere: wanted.length > 0,
    /** Tells a day, where one is asked for. */
    hasCue: asked.isWhen && (hit.dates !== null || hasTrait(traits, 'time') || hasForm('date', text)),
    /** Names somebody else where it speaks of what is asked about. */
    hasName: sentences.some(
      ({ sentence }, index) =>
        hasOtherName(sentence, asked) &&
        (wanted.length === 0 || asking !== undefined || coverageOf(wanted, terms[index]) > 0)
    ),
    isChange,
    isCancelled: read.languages.some((language) => wordsFor(language).cancelled(hit.content)),
    asks: asks(read),
    /** Is nothing but a question. */
    isQuestion: sentences.every(({ sentence }) => ASKS.test(sentence)),
    namesThings: asked.things.every((thing) => isNamedIn(thing, folded) || isNamedIn(thing, said))
  }
}

const AS_REPLY = 0.75

/** Whether it ends with a question. */
export const asks = ({ sentences }: Pick<Read, 'sentences'>): boolean =>
  ASKS.test(sentences.at(-1)?.sentence ?? '')

const ASKS = /[?？؟]\s*$/

const LITERAL = 0.75

interface Wanted {
  terms: readonly string[]
  weight: number
  /** How much of the weight stands in the passage. */
  share: number
}

/** The share of the words that a passage has, or of those one sentence of it. */
function coverageOf(wanted: readonly Wanted[], within?: () => ReadonlyMap<string, number>): number {
  if (wanted.every(({ share }) => share === 0)) return 0
  const whole = wanted.reduce((sum, { weight }) => sum + weight, 0) || 1
  const isThere = ({ terms, share }: Wanted): boolean =>
    within === undefined || (share > 0 && terms.some((term) => within().has(term)))
  return wanted.reduce((sum, one) => sum + (isThere(one) ? one.share : 0), 0) / whole
}

interface Sentence {
  sentence: string
  folded: string
  subject: Name | undefined
}

/** 2 for whom the sentence is about, less where it only names them, below 0 where it is about somebody else. */
export function fitOf(
  { folded, subject }: Sentence,
  { forms, known }: Pick<Asked, 'forms' | 'known'>,
  { folded: whole, names: told, author }: Read,
  carried: Name | undefined
): number {
  if (forms.length === 0) return 0
  const fitTo = (name: Name): number => {
    const whose = subject ?? carried
    const alike = whose === undefined ? 'other' : likeness(name, whose)
    if (alike === 'same') return 2
    if (isNamedIn(name, folded)) return whose?.some((part) => name.includes(part)) ? 1 : 1.8
    if (alike === 'partial') return isOfAnother(name, whose ?? [], known) ? 0.5 : 1.5
    // `My wife …`: hers, told by her husband.
    if (author !== undefined && likeness(name, author) === 'same' && whose === undefined) return 1.2
    if (whose !== undefined) return isNamedIn(name, whole) ? 0.6 : -1
    const isPartly = (one: Name) => likeness(name, one) === 'partial' && !isOfAnother(name, one, known)
    return isNamedIn(name, whole) || told.some(isPartly) ? 1.2 : 0
  }
  const fits = forms.map((names) => Math.max(...names.map(fitTo)))
  const least = Math.max(...fits) > 1 ? 0 : -1
  const sum = fits.reduce((all, fit) => all + Math.max(fit, least), 0)
  return sum / forms.length
}

/** Whether a surname alone is rather that of a namesake, of whom more is told. */
function isOfAnother(asked: Name, told: Name, known: readonly Name[]): boolean {
  const bearers = known.filter((name) => name.length > told.length && likeness(told, name) === 'same')
  const theirs = bearers.filter((name) => likeness(asked, name) === 'same').length
  return bearers.length > 2 * theirs
}

/** How plainly a sentence about them tells it: by its name and with a value, by a value that speaks for itself, by name. */
function attributeIn(
  attribute: Attribute,
  { sentences, languages }: Read,
  fits: readonly number[],
  { names, things }: Asked
): number {
  let best = 0
  // Who speaks for a company is told in sentences about somebody.
  const leastFit = attribute === 'contact' ? 0.6 : 1
  for (const [index, { sentence, folded, subject }] of sentences.entries()) {
    if (names.length > 0 && (fits[index] ?? 0) < leastFit) continue
    const isTold = [attribute, ...(IMPLIED_BY[attribute] ?? [])].some((one) =>
      tells(one, sentence, languages)
    )
    // Of several such things it is the one that the sentence names.
    const others = names.length > 1 ? names.filter((name) => likeness(name, subject ?? []) === 'other') : []
    const isOf = [...things, ...others].every((thing) => isNamedIn(thing, folded)) ? 1 : 0.6
    const isShaped = hasShape(attribute, sentence)
    if (isTold) best = Math.max(best, isOf * (isShaped ? 1 : 0.5))
    else if (isShaped && SPEAKING.has(attribute)) best = Math.max(best, isOf * 0.7)
  }
  return best
}

const IMPLIED_BY: Partial<Record<Attribute, readonly Attribute[]>> = { vehicle: ['plate'], diet: ['allergy'] }

/** An amount of money needs no word that says so. */
const SPEAKING: ReadonlySet<Attribute> = new Set(['price'])

const hasOtherName = (sentence: string, asked: Asked): boolean =>
  [...sentence.matchAll(/(?<=\S\s)\p{Lu}\p{L}+|\p{Script=Han}{2,}/gu)].some(
    ([word]) => !asked.names.some((name) => likeness(name, nameOf(word)) !== 'other')
  )
