// Whom each sentence of a memory is about: its author, the person or company that a note names, or nobody for sure.
import { isTitle, type LanguageWords, tellsAttribute, wordsFor } from '../attributes/attribute.ts'
import type { Language } from '../language.ts'
import { isSameName } from '../names.ts'
import { isStopWord } from '../stop-words.ts'
import type { Subject } from './fact.ts'
import { isNoName, type NamedOne, peopleIn, WORD } from './names.ts'
import { sentencesOf } from './sentences.ts'
import { CUSTOMER, type ToldLine, toldLines } from './told-lines.ts'

export interface SubjectOf {
  sentence: string
  /** As it is spelled; empty for the customer whose Mind it is, null for nobody or one of several. */
  subject: string | null
  /** Whether the sentence is that one's own words. */
  isAuthor: boolean
}

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
    const introduced = this.#author ? undefined : introducedIn(sentence, this.#language)
    if (introduced !== undefined) {
      this.#author = introduced
      return { subject: introduced, isAuthor: true }
    }
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

/** Who says it: `I’m Ada Quill`, `Hi, it’s Ada`, `Ada here`, `山本と申します`. */
function introducedIn(sentence: string, language: Language): string | undefined {
  const asian = /([\p{Script=Han}\p{Script=Katakana}]{1,6})と申します/u.exec(sentence)?.[1]
  const ungreeted = sentence.replace(GREETING, '')
  const rest = ungreeted.replace(I_AM, '')
  const [name = ''] = NAME_AT_START.exec(rest) ?? []
  if (name.split(' ').some((word) => isNoName(word, language))) return asian
  // `It’s Monday`: alone, a word is a name behind a greeting only.
  const isNamed = /[ .]/.test(name) || ungreeted !== sentence
  const isSaid = rest === ungreeted ? HERE.test(rest.slice(name.length)) : isNamed
  return isSaid ? name : asian
}

const GREETING =
  /^(?:hi|hey|hello|good (?:morning|afternoon|evening)|hola|buen[oa]s (?:días|tardes)|hallo|guten (?:tag|morgen|abend)|moin|bonjour|bonsoir|olá|bom dia|boa tarde|ciao|salve|buongiorno|buonasera|goedemorgen|goedemiddag|привет|здравствуйте)(?: again)?[,!.]? /iu
const I_AM =
  /^(?:i am|i['’]m|this is|it['’]s|it is|my name is|ich bin|hier ist|hier spricht|mein name ist|soy|me llamo|mi nombre es|je suis|je m['’]appelle|c['’]est|(?:aqui )?é|sou|chamo-me|meu nome é|sono|mi chiamo|ik ben|met|меня зовут|это) (?:[oa] )?/iu
const HERE = /^ (?:here|again|hier|aquí|ici|aqui|qui|noch ?mal|otra vez|encore)(?=[ ,.!:]|$)/u
const NAME_AT_START = new RegExp(`^${WORD}(?: ${WORD}){0,2}(?=[ ,.!:]|$)`, 'u')

/** `My oldest son Ben …`, `Mi marido, Gael, …` */
const RELATIVE = /^(?:[\p{L}'’-]+[ ,]+){2,3}(\p{Lu}[\p{L}\p{M}'’-]+)/u
