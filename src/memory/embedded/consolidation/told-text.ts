// What is told in a memory, in a form in which a model's quotes and words can be looked up.
import { DAY_MS } from '../../../clock.ts'
import { dayOf, spansIn } from '../dates.ts'
import { foldValue } from '../facts/fact.ts'
import { isSupposed, QuoteWatch } from '../facts/sentences.ts'
import { toldLines } from '../facts/told-lines.ts'
import { fold } from '../fold.ts'
import { type Candidates, type LatinLanguage, latinLanguagesOf } from '../language.ts'
import type { BatchMemory } from '../port.ts'
import { termsOf } from '../terms.ts'
import { beginningsOf, wordsOf } from '../words.ts'

/** Shorter ones stand anywhere. In Chinese a word has two characters. */
const SHORTEST_QUOTE = 2

const MAX_LOOKS = 20

const CLAUSE_ENDS = /[,;:.!?…—\n，。；：！？、؟؛]/u
const SENTENCE_ENDS = /[.!?…\n。！？؟]/u
const QUESTION = /[?？؟]/

export class ToldText {
  readonly memory: BatchMemory
  readonly #text: string
  /** The same in lower case, place by place. */
  readonly #lower: string
  /** In which days are looked for. */
  readonly #dated: string
  readonly #languages: Candidates<LatinLanguage>
  readonly #words: ReadonlySet<string>
  /** Of its words: what their other forms have in common with them. */
  readonly #beginnings: ReadonlySet<string>
  #terms: ReadonlySet<string> | undefined

  /** @param said what of it counts: what is told by people, if left out */
  constructor(memory: BatchMemory, said?: string) {
    this.memory = memory
    this.#dated = said ?? memory.content
    const text = plain(said ?? toldIn(memory))
    const lower = text.toLowerCase()
    // A few capitals have two small letters.
    this.#text = lower.length === text.length ? text : lower
    this.#lower = lower.replace(/\n/g, ' ')
    this.#languages = latinLanguagesOf(this.#dated)
    const words = foldValue(`${memory.author ?? ''} ${fold(this.#text)}`).split(/[ .+]/)
    this.#words = new Set(words.map(fold))
    this.#beginnings = new Set([...this.#words].flatMap(beginningsOf))
  }

  /** Whether somebody states that: no question, no supposition, nobody else's words, no line of a machine. */
  states(quote: string): boolean {
    const sought = plain(quote).toLowerCase().replace(/\n/g, ' ')
    if (sought.length < SHORTEST_QUOTE) return false
    let at = this.#lower.indexOf(sought)
    for (let looks = 0; at >= 0 && looks < MAX_LOOKS; looks += 1) {
      if (this.#isStatement(at, at + sought.length)) return true
      at = this.#lower.indexOf(sought, at + 1)
    }
    return false
  }

  #isStatement(start: number, end: number): boolean {
    const behind = this.#text.slice(end - 1)
    if (QUESTION.test(this.#text.slice(start, end)) || QUESTION.test(SENTENCE_ENDS.exec(behind)?.[0] ?? ''))
      return false
    const watch = new QuoteWatch()
    watch.touches(this.#text.slice(this.#text.lastIndexOf('\n', start - 1) + 1, start))
    if (watch.touches('')) return false
    const before = this.#text.slice(0, start).split(CLAUSE_ENDS).at(-1) ?? ''
    const after = this.#text.slice(end).split(CLAUSE_ENDS, 1)[0] ?? ''
    return !isSupposed(before + this.#text.slice(start, end) + after)
  }

  hasWord(word: string): boolean {
    return beginningsOf(fold(word)).some((beginning) => this.#beginnings.has(beginning))
  }

  /** Whether a name is, letter for letter where names don't bend. */
  hasName(name: string): boolean {
    const parts = name.split(/['’-]/).filter((part) => part.length > 1)
    return parts.every((part) =>
      this.memory.language === 'en' ? this.#words.has(fold(part)) : this.hasWord(part)
    )
  }

  /** Of the words that matter in a text, how many there are and how many of them this text has. */
  share(value: string): { words: number; told: number } {
    let words = 0
    let told = 0
    for (const word of wordsOf(value)) {
      const forms = word.isSafeguard ? [] : termsOf(word, this.#languages)
      if (forms.length === 0) continue
      words += 1
      if (this.hasWord(word.text) || forms.some((form) => this.#allTerms.has(form))) told += 1
    }
    return { words, told }
  }

  /** Whether a number is, however it is grouped, or each of its parts. */
  hasNumber(number: string): boolean {
    const stands = (digits: string): boolean =>
      new RegExp(`(?<![0-9])${[...digits].join('[ ().,/-]{0,3}')}(?![0-9])`).test(this.#text)
    const parts = number.match(/\d{1,100}/g) ?? []
    return stands(parts.join('')) || parts.every(stands)
  }

  spanAround(date: string): readonly [first: number, last: number] | undefined {
    if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return undefined
    const day = Date.parse(`${date}T00:00:00Z`) / DAY_MS
    const own = dayOf(this.memory.occurredAt)
    if (day === own) return [own, own]
    const around = spansIn(this.#dated, this.memory.occurredAt).filter(
      ([first, last]) => first <= day && day <= last
    )
    return around.sort((a, b) => a[1] - a[0] - (b[1] - b[0]))[0]
  }

  get #allTerms(): ReadonlySet<string> {
    this.#terms ??= new Set([...wordsOf(this.#text)].flatMap((word) => termsOf(word, this.#languages)))
    return this.#terms
  }
}

const toldIn = ({ content }: BatchMemory): string =>
  [...toldLines(content)].flatMap(({ raw, speaker }) => (speaker ? [raw] : [])).join('\n')

/** One spelling of what is the same to a reader; ends of lines stay. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[‘’ʼ]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g, '')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .trim()
