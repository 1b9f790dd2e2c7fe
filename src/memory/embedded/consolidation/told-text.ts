// What is told in a memory, in a form in which a model's words, names, numbers and days can be looked up.
import { DAY_MS } from '../../../clock.ts'
import { dayOf, type Span, spansIn } from '../dates.ts'
import { foldValue } from '../facts/fact.ts'
import { toldLines } from '../facts/told-lines.ts'
import { fold, normalise } from '../fold.ts'
import { type Candidates, type LatinLanguage, latinLanguagesOf } from '../language.ts'
import type { BatchMemory } from '../port.ts'
import { termsOf } from '../terms.ts'
import { beginningsOf, wordsOf } from '../words.ts'

export class ToldText {
  readonly memory: BatchMemory
  readonly #text: string
  readonly #languages: Candidates<LatinLanguage>
  readonly #words: ReadonlySet<string>
  /** Of its words: what their other forms have in common with them. */
  readonly #beginnings: ReadonlySet<string>
  readonly #terms: ReadonlySet<string>

  /** @param said what of it counts: what is told by people, if left out */
  constructor(memory: BatchMemory, said = toldIn(memory)) {
    this.memory = memory
    this.#text = normalise(said)
    this.#languages = latinLanguagesOf(said)
    const words = foldValue(`${memory.author ?? ''} ${fold(said)}`).split(/[ .+]/)
    this.#words = new Set(words.map(fold))
    this.#beginnings = new Set([...this.#words].flatMap(beginningsOf))
    this.#terms = new Set([...wordsOf(said)].flatMap((word) => termsOf(word, this.#languages)))
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
    const words = [...wordsOf(value)].flatMap((word) => {
      const forms = word.isSafeguard ? [] : termsOf(word, this.#languages)
      return forms.length === 0 ? [] : [{ text: word.text, forms }]
    })
    const told = words.filter(
      ({ text, forms }) => this.hasWord(text) || forms.some((form) => this.#terms.has(form))
    )
    return { words: words.length, told: told.length }
  }

  /** Whether a number is, however it is grouped, or each of its parts. */
  hasNumber(number: string): boolean {
    const stands = (digits: string): boolean =>
      new RegExp(`(?<![0-9])${[...digits].join('[ ().,/-]{0,3}')}(?![0-9])`).test(this.#text)
    const parts = number.match(/\d{1,100}/g) ?? []
    return stands(parts.join('')) || parts.every(stands)
  }

  /** The shortest time around that day of which it speaks. */
  spanAround(date: string): Span | undefined {
    if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return undefined
    const day = Date.parse(`${date}T00:00:00Z`) / DAY_MS
    const own = dayOf(this.memory.occurredAt)
    if (day === own) return [own, own]
    const around = spansIn(this.#text, this.memory.occurredAt).filter(
      ([first, last]) => first <= day && day <= last
    )
    return around.sort((a, b) => a[1] - a[0] - (b[1] - b[0]))[0]
  }
}

const toldIn = ({ content }: BatchMemory): string =>
  [...toldLines(content)].flatMap(({ raw, speaker }) => (speaker ? [raw] : [])).join('\n')
