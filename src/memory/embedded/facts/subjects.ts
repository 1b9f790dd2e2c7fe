// Whom each sentence of a memory is about: its author, the person or company that a note names, or nobody for sure.
import {
  type Attribute,
  isNoteHead,
  isTitle,
  type LanguageWords,
  labelAtStart,
  tellsAttribute,
  wordsFor
} from '../attributes/attribute.ts'
import { isTimeWord } from '../attributes/shapes.ts'
import { fold } from '../fold.ts'
import type { Language } from '../language.ts'
import { isStopWord } from '../stop-words.ts'
import type { Subject } from './fact.ts'
import { sentencesOf } from './sentences.ts'
import { CUSTOMER, type ToldLine, toldLines } from './told-lines.ts'

interface NamedOne {
  name: string
  index: number
  /** With its surname or a title; a first name alone may as well be a thing's. */
  isFull: boolean
}

export interface SubjectOf {
  sentence: string
  /** As it is spelled; empty for the customer whose Mind it is, null for nobody or one of several. */
  subject: string | null
  /** Whether the sentence is that one's own words. */
  isAuthor: boolean
}

const WORD = "\\p{Lu}[\\p{L}\\p{M}'’-]{0,30}"
const PARTICLE = '(?:d[aeiou]s?|del|della|van|von|der|den|ter|la|le|bin|ibn|al|el|y|e|&) '
const SPACED_NAME = new RegExp(
  `(?<![\\p{L}\\p{M}\\p{N}'’&-])${WORD}(?: (?:${PARTICLE}){0,2}${WORD}){0,3}`,
  'gu'
)
const HAN_NAME =
  /([\p{Script=Han}\p{Script=Katakana}々ー]{1,6}(?:[ \u3000・][\p{Script=Han}\p{Script=Katakana}々]{1,6})?) ?(?:様|さん|さま|氏|ちゃん|くん|君|先生|女士|小姐|太太|医生|老师)|(?<=^|[:：] ?)([\p{Script=Han}々]{1,4}[ \u3000][\p{Script=Han}々]{1,4}|[\p{Script=Han}]{2,3}(?=[,，]))/gu
/** Counted, or not named at all. */
const NO_ONE = /[名人客皆\d]$|^(?:お|御)?(?:客|皆)/
const ARABIC_WORD = '[\\p{Script=Arabic}]{2,15}'
const ARABIC_NAME = new RegExp(
  `(?:^|(?<=[\\s:]))(?<title>${ARABIC_WORD}) (?<name>${ARABIC_WORD}(?: ${ARABIC_WORD})?)`,
  'gu'
)
const STREET =
  /(?:(?:^|\s)(?:street|road|lane|avenue|close|drive|hill|square|court|way|place|park)|straße|strasse|allee|platz|gasse)$/i

/** The people and companies that a text names, in its order. Where letters have no case, by title or place alone. */
export function peopleIn(text: string, language: Language): readonly NamedOne[] {
  if (language === 'ja' || language === 'zh') return hanNamesIn(text)
  if (language === 'ar') return [...arabicNamesIn(text)]
  return [...spacedNamesIn(text, language)]
}

function hanNamesIn(text: string): NamedOne[] {
  return [...text.matchAll(HAN_NAME)].flatMap(({ 1: titled, 2: bare, index }) => {
    const name = (titled ?? bare ?? '').replace(/^(?:本日|昨日|先日|今日)/, '')
    return name === '' || NO_ONE.test(name) || isNoteHead(name) ? [] : [{ name, index, isFull: true }]
  })
}

function* arabicNamesIn(text: string): Generator<NamedOne> {
  for (const { groups, index } of text.matchAll(ARABIC_NAME)) {
    if (groups?.name && isTitle(groups.title ?? '')) yield { name: groups.name, index, isFull: true }
  }
  const [before = '', behind = '', name] =
    new RegExp(`^([^:]{2,30}): (${ARABIC_WORD} ${ARABIC_WORD})`, 'u').exec(text) ?? []
  if (behind && isNoteHead(behind))
    yield { name: name ?? '', index: before.length - (name?.length ?? 0), isFull: true }
}

function* spacedNamesIn(text: string, language: Language): Generator<NamedOne> {
  for (const { 0: written, index } of text.matchAll(SPACED_NAME)) {
    if (isStopWord(written.toLowerCase(), language)) continue
    const around = {
      language,
      before: text.slice(Math.max(0, index - AROUND), index),
      behind: text.slice(index + written.length).slice(0, AROUND)
    }
    const found = nameFrom(written, around)
    if (found) yield { name: found.name, index: index + found.offset, isFull: found.isFull }
  }
}

/** Looked at before and behind a name. */
const AROUND = 60

interface Around {
  language: Language
  before: string
  behind: string
}

function nameFrom(written: string, { language, before, behind }: Around) {
  const [, title = ''] = /([\p{L}.-]{1,12}) $/u.exec(before.slice(-14)) ?? []
  const opensSentence = /(?:^|[.!?:…\n])\s*$/.test(before)
  let offset = 0
  let isTitled = isTitle(title)
  // `Lena Brzezińska's Atlas`
  let words = written.replace(/(?<=['’]s) .*$/, '').split(' ')
  const drop = () => {
    offset += (words[0]?.length ?? 0) + 1
    words = words.slice(1)
  }
  while (words.length > 0) {
    const [word = '', next = ''] = words
    const isHere = isTitle(word) && words.length > 1
    // `Oferta de Nuria Casajuana`: what begins a sentence is large, too.
    const leads = offset === 0 && opensSentence && /^\p{Ll}/u.test(next) && words.length > 3
    if (!(isHere || leads || isNoName(word, language) || /^\p{Ll}/u.test(word))) break
    isTitled ||= isHere
    drop()
  }
  while (words.length > 0 && isNoName(words.at(-1) ?? '', language)) words = words.slice(0, -1)
  const name = words.join(' ').replace(/['’]s?$/, '')
  if (name.length < 2 || name === name.toUpperCase()) return undefined
  if (isTitled) return { name, offset, isFull: true }
  if (isThing(before, behind, language) || STREET.test(name)) return undefined
  const isFull = words.length > 1
  // Alone, a word is a name only where neither a sentence nor the language writes it large.
  if (!isFull && (language === 'de' || (opensSentence && offset === 0))) return undefined
  return { name, offset, isFull }
}

/** Whether a word written large is a heading, a day or a small word, and no part of a name. */
export const isNoName = (word: string, language: Language): boolean => {
  const plain = fold(word).replace(/['’]s?$/, '')
  return isStopWord(word.toLowerCase(), language) || isNoteHead(plain) || isTimeWord(plain)
}

/** `the Corvel Atlas`, `a blue Trevano`, `7 Mill Road`, `Insurance: …`, `Halden 20`. */
function isThing(before: string, behind: string, language: Language): boolean {
  const [, second = '', first = ''] = /(?:(\p{L}+) )?(\p{L}+) $/u.exec(before.slice(-24)) ?? []
  const { articles } = wordsFor(language)
  if (articles(first) || (articles(second) && /^\p{Ll}/u.test(first))) return true
  if (/[0-9] ?$/.test(before) || /^ [0-9]{1,3}(?![0-9-])/.test(behind)) return true
  const label = labelAtStart(`${before.split(/[.;,\n]/).at(-1) ?? ''}x`)
  return label !== undefined && NAMED_THINGS.has(label.attribute)
}

/** Attributes whose values may look like somebody's name. */
const NAMED_THINGS: ReadonlySet<Attribute> = new Set([
  'insurer',
  'vehicle',
  'plan',
  'job',
  'area',
  'address',
  'medication',
  'pet',
  'room',
  'language'
])

const comparable = (name: string): string[] => {
  const plain = fold(name).replace(/['’]s(?= |$)/g, '')
  return /[\p{Script=Han}\p{Script=Katakana}]/u.test(plain)
    ? [plain.replace(/[\s・]/g, '')]
    : (plain.match(/[\p{L}\p{N}]+/gu) ?? [])
}

/** Whether two names may be one's: the words of one are all in the other, `Lena` in `Lena Brzezińska`. */
export function isSameName(a: string, b: string): boolean {
  const [left, right] = [comparable(a), comparable(b)]
  const [short, long] = left.length <= right.length ? [left, right] : [right, left]
  if (short.length === 0) return false
  if (short.length === 1 && long.length === 1) return isWithin(short[0] ?? '', long[0] ?? '')
  return short.every((word) => long.includes(word))
}

/** Written together, a surname begins the whole name. */
const isWithin = (a: string, b: string): boolean =>
  a === b || (/\p{Script=Han}/u.test(a) && (a.startsWith(b) || b.startsWith(a)))

/** Whom each sentence is about, as far as the memory itself tells. */
export function subjectsOf(content: string, language: Language): readonly SubjectOf[] {
  const reader = new SubjectReader(content, language)
  return [...toldLines(content)].flatMap((line) => {
    reader.open(line)
    return [...sentencesOf(line.text)].map((sentence) => ({ sentence, ...reader.read(sentence) }))
  })
}

/** Reads a memory's lines and sentences in their order. */
export class SubjectReader {
  readonly #language: Language
  readonly #words: LanguageWords
  readonly #known: readonly NamedOne[]
  /** Who says this; null while it is a note's, or an agent's. */
  #author: string | null = null
  #isAgent = false
  #isOpening = true
  /** Whom the sentences before were about, but for their author; null for somebody without a name. */
  #current: string | null | undefined

  constructor(content: string, language: Language) {
    this.#language = language
    this.#words = wordsFor(language)
    this.#known = peopleIn(content, language)
  }

  open({ speaker, isPrefixed, text }: ToldLine): void {
    this.#isOpening = true
    if (!isPrefixed) return
    this.#current = undefined
    this.#isAgent = speaker === null
    this.#author = speaker?.name ?? null
    const [first] = peopleIn(text, this.#language)
    if (!speaker || !first?.isFull || !this.#begins(text, first)) return
    // `Customer: Dana Reyes` heads a record; and nobody begins with a full name what they say themselves.
    const isAlone = first.index + first.name.length >= text.trimEnd().length
    const isHeading =
      speaker !== CUSTOMER && !/\s/.test(speaker.name) && !isSameName(speaker.name, first.name)
    if (!(speaker === CUSTOMER ? isAlone : isHeading)) return
    this.#author = null
    this.#current = first.name
  }

  read(sentence: string): Omit<SubjectOf, 'sentence'> {
    if (this.#isAgent) return { subject: null, isAuthor: false }
    const named = this.#namedAtStart(sentence)
    this.#isOpening = false
    if (named !== undefined) this.#current = named
    else if (this.#author !== null) return this.#saidByAuthor(sentence)
    else if (this.#current === undefined) this.#current = this.#onlyOneIn(sentence)
    if (this.#author !== null && named === this.#author) return { subject: named, isAuthor: true }
    if (this.#current !== undefined) return { subject: this.#current, isAuthor: false }
    // `I live in Porto`, `Customer moved`: with nobody named it is the customer.
    if (this.#known.some(({ isFull }) => isFull)) return { subject: null, isAuthor: false }
    const isOwn = this.#words.self(sentence)
    return { subject: isOwn || this.#words.customers(sentence) ? CUSTOMER.name : null, isAuthor: isOwn }
  }

  /** Whom a fact in that sentence would be about: of a note that names nobody it is the customer. */
  subjectIn(sentence: string): Subject | undefined {
    const { subject, isAuthor } = this.read(sentence)
    if (subject !== null) return subject === '' ? CUSTOMER : { name: subject, isMain: isAuthor }
    const isOfNobody = this.#author === null && !this.#isAgent && this.#current === undefined
    return isOfNobody && !this.#known.some(({ isFull }) => isFull) ? CUSTOMER : undefined
  }

  #saidByAuthor(sentence: string): Omit<SubjectOf, 'sentence'> {
    const [first = '', ...opening] = sentence.split(/[\s,]+/, 3)
    const isRelative = (word: string) => tellsAttribute('relative', word, this.#language)
    if (this.#words.self(first) && opening.some(isRelative)) {
      this.#current = RELATIVE.exec(sentence)?.[1] ?? null
      return { subject: this.#current, isAuthor: false }
    }
    // `He` is whoever was spoken of last.
    if (this.#current !== undefined && this.#words.they(first))
      return { subject: this.#current, isAuthor: false }
    return { subject: this.#author, isAuthor: true }
  }

  /** Whom a sentence begins with: a full name, or a first name that the memory knows otherwise. */
  #namedAtStart(sentence: string): string | undefined {
    const [first] = peopleIn(sentence, this.#language)
    if (
      first?.isFull &&
      this.#begins(sentence, first) &&
      (this.#author === null || this.#goesOn(sentence, first))
    )
      return first.name
    const [, word = ''] = /^(\p{Lu}[\p{L}\p{M}'’-]+)(?=[ ,]+\p{Ll}|'s )/u.exec(sentence) ?? []
    const name = word.replace(/['’]s$/, '')
    if (name === '') return undefined
    return this.#author !== null && isSameName(this.#author, name)
      ? this.#author
      : this.#known.find((one) => isSameName(one.name, name))?.name
  }

  /** Whether nothing stands before it but headings, titles and words that say nothing. */
  #begins(sentence: string, { index }: NamedOne): boolean {
    const start = sentence.slice(0, index)
    // What stands before a colon heads a line; within one it is a label, and the name its value.
    const before = this.#isOpening ? start.replace(/^[^:：]{0,60}[:：]\s*/, '') : start
    return (before.match(/[\p{L}\p{N}]+/gu) ?? []).every(
      (word) => isTitle(word) || isStopWord(word.toLowerCase(), this.#language)
    )
  }

  /** In somebody's talk: whether the name is followed by what is said of it. */
  #goesOn(sentence: string, { index, name }: NamedOne): boolean {
    return /^,? \p{Ll}|^\S*[はがのも]/u.test(sentence.slice(index + name.length))
  }

  #onlyOneIn(sentence: string): string | null | undefined {
    const people = peopleIn(sentence, this.#language).filter(({ isFull }) => isFull)
    const [first] = people
    if (!first) return undefined
    return people.every(({ name }) => isSameName(name, first.name)) ? first.name : null
  }
}

/** `My oldest son Ben …`, `Mi marido, Gael, …` */
const RELATIVE = /^(?:[\p{L}'’-]+[ ,]+){2,3}(\p{Lu}[\p{L}\p{M}'’-]+)/u
