// What is asked of people again and again, and by which words each language tells it.
import { fold, normalise } from '../fold.ts'
import { isLatin, LATIN_LANGUAGES, type Language } from '../language.ts'
import { lately, lazily, onceForValue } from '../port.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import { nl } from './nl.ts'
import { pt } from './pt.ts'
import { ru } from './ru.ts'
import { hasForm, isUnmistakable, type Shape } from './shapes.ts'
import { zh } from './zh.ts'

/**
 * What holds of an attribute: it is told by a value of its own form; by its name, too, so that where nobody did it isn't
 * known; by the value itself, in a question as well (whether they have asthma, or a dog); by many words, so that those of
 * the question needn't stand in the answer. It answers how many, or when; its values may look like somebody's name.
 */
type Trait = 'valued' | 'needed' | 'byValue' | 'synonymous' | 'counted' | 'timed' | 'namelike'

/** Each with the form that its value has in any language; what says most of a question comes first. */
const TRAITS = {
  phone: ['phone', 'valued', 'needed', 'synonymous'],
  email: ['email', 'valued', 'needed', 'synonymous'],
  policy: ['code', 'valued', 'needed', 'synonymous'],
  id: ['code'],
  plate: ['code', 'valued', 'needed', 'synonymous'],
  code: ['code', 'valued', 'needed'],
  invoice: ['code', 'valued', 'needed'],
  order: ['code'],
  birth: ['number', 'needed', 'synonymous', 'counted', 'timed'],
  allergy: ['any', 'needed', 'synonymous'],
  diet: ['any', 'needed', 'byValue'],
  medication: ['any', 'needed', 'byValue', 'namelike'],
  insurer: ['any', 'needed', 'synonymous', 'namelike'],
  budget: ['money', 'valued', 'needed', 'synonymous'],
  condition: ['any', 'needed', 'byValue'],
  pet: ['any', 'needed', 'byValue', 'namelike'],
  language: ['any', 'needed', 'synonymous', 'namelike'],
  supplier: ['any', 'synonymous'],
  contact: ['name', 'needed', 'synonymous'],
  seats: ['number', 'counted'],
  plan: ['any', 'synonymous', 'namelike'],
  room: ['any', 'namelike'],
  area: ['any', 'synonymous', 'namelike'],
  renewal: ['date', 'synonymous', 'timed'],
  job: ['any', 'needed', 'synonymous', 'namelike'],
  address: ['any', 'needed', 'synonymous', 'namelike'],
  preference: ['any', 'timed'],
  goal: ['any', 'synonymous'],
  price: ['money', 'valued', 'needed', 'synonymous'],
  vehicle: ['any', 'needed', 'synonymous', 'namelike'],
  opening: ['any', 'synonymous', 'timed'],
  relative: ['any', 'byValue'],
  appointment: ['date', 'timed'],
  name: ['name', 'needed']
} as const satisfies Record<string, readonly [Shape, ...Trait[]]>

export type Attribute = keyof typeof TRAITS

const ATTRIBUTES = Object.keys(TRAITS) as Attribute[]

const shapeOf = (attribute: Attribute): Shape => TRAITS[attribute][0]

export const isOf =
  (trait: Trait) =>
  (attribute: Attribute): boolean =>
    TRAITS[attribute].some((one) => one === trait)

/** Lists that belong to a language and to no attribute. */
const WORD_KINDS = [
  'negation',
  'change',
  'cancelled',
  'before',
  'titles',
  'heads',
  'customers',
  'articles',
  'agents',
  'self',
  'they'
] as const
type WordKind = (typeof WORD_KINDS)[number]

const TABLES: Readonly<Record<Language, string>> = { en, es, de, fr, pt, it, nl, ja, ar, ru, zh }

interface Phrases {
  /** What stands before a value: `Phone: …`. */
  labels: readonly string[]
  /** Other words that tell it. */
  cues: readonly string[]
  /** Words that ask for it, and tell nothing of it. */
  asked: readonly string[]
}

/** Letters and digits of folded text; a few ranges, since a pattern of many words is slow to make with `\\p{L}`. */
const LETTER = '[0-9a-z\\u00df-\\u024f\\u0370-\\u060b\\u0610-\\u061a\\u0620-\\u1fff]'
const ARABIC_BEFORE = '(?:[وفبلك]{0,2}(?:ال)?|لل)?'
const ARABIC_BEHIND = '(?:ه|ها|هم|ي|نا|ك|كم|ا)?'

/** `*` stands for any letters and `~` for any words; Arabic words may carry an article before them and a pronoun behind. */
function patternOf(phrases: readonly string[], language: Language, flags = 'u'): RegExp {
  if (phrases.length === 0) return /(?!)/u
  const longestFirst = [...phrases].sort((a, b) => b.length - a.length)
  const words = longestFirst.map((phrase) =>
    phrase
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', `${LETTER}*`)
      .replaceAll('~', '.{1,40}')
  )
  const any = `(?:${words.join('|')})`
  if (language === 'ja' || language === 'zh') return new RegExp(any, flags)
  const inflected = language === 'ar' ? `${ARABIC_BEFORE}${any}${ARABIC_BEHIND}` : any
  return new RegExp(`(?<!${LETTER})${inflected}(?!${LETTER})`, flags)
}

/** One spelling for looking words up: without accents, apostrophes straight, the forms of Arabic's alif alike. */
function spell(text: string): string {
  const folded = fold(text.replace(/[^\S ]/g, ' ')).replace(/’/g, "'")
  return /[أإآٱىة]/.test(folded)
    ? folded
        .replace(/[أإآٱ]/g, 'ا')
        .replace(/ى/g, 'ي')
        .replace(/ة(?!\p{L})/gu, 'ه')
    : folded
}

/** The sentences of a memory are looked through for one attribute after the other. */
const plain = lately(spell, 64)

const listed = (text = ''): string[] =>
  text
    .split(',')
    .map((phrase) => plain(phrase.replace(/\s+/g, ' ').trim()))
    .filter(Boolean)

function readTable(table: string): ReadonlyMap<string, Phrases> {
  return new Map(
    table.split(';').map((entry) => {
      const colon = entry.indexOf(':')
      const [told = '', asked] = entry.slice(colon + 1).split('|')
      const [labels, cues] = told.split('/')
      return [
        entry.slice(0, colon).trim(),
        { labels: listed(labels), cues: listed(cues), asked: listed(asked) }
      ]
    })
  )
}

/** All of them with the first memory or question, and no start of a process. */
const tables = lazily(
  () => new Map(Object.entries(TABLES).map(([language, table]) => [language, readTable(table)]))
)

const phrasesOf = (language: Language, of: string): Phrases =>
  tables().get(language)?.get(of) ?? { labels: [], cues: [], asked: [] }

/** Made when first needed: most Minds are told in one language. */
const askedPatterns = onceForValue((language: Language) =>
  ATTRIBUTES.map((attribute) => {
    const { labels, cues, asked } = phrasesOf(language, attribute)
    return [attribute, patternOf([...labels, ...cues, ...asked], language, 'gu')] as const
  })
)

const toldPatterns = onceForValue(
  (language: Language) =>
    new Map(
      ATTRIBUTES.map((attribute) => {
        const { labels, cues } = phrasesOf(language, attribute)
        return [attribute, patternOf([...labels, ...cues], language)]
      })
    )
)

/** What a question asks for, the most specific first: of `e-mail address` the address is left out. */
export function attributesAsked(question: string, language: Language): readonly Attribute[] {
  const text = plain(question)
  const asked = askedIn(text, language)
  if (asked.length > 0 || !isLatin(language)) return asked
  // A short question may be taken for another language: long words are seldom of two.
  return (
    LATIN_LANGUAGES.map((other) => askedIn(text, other, LONG_WORD)).find(({ length }) => length > 0) ?? []
  )
}

const LONG_WORD = 6

function askedIn(text: string, language: Language, shortest = 0): readonly Attribute[] {
  const found = askedPatterns(language).flatMap(([attribute, pattern]) =>
    [...text.matchAll(pattern)]
      .filter(([words]) => words.length >= shortest)
      .map(({ 0: words, index }) => ({ attribute, index, end: index + words.length }))
  )
  const widest = found.filter(
    ({ index, end }) =>
      !found.some(
        (other) => other.index <= index && other.end >= end && other.end - other.index > end - index
      )
  )
  return ATTRIBUTES.filter((attribute) => widest.some((one) => one.attribute === attribute))
}

/** Whether a sentence tells that: by a label or another word for it, or by a value that is nothing else. */
export const tellsAttribute = (attribute: Attribute, sentence: string, language: Language): boolean =>
  isUnmistakable(shapeOf(attribute), sentence) ||
  toldPatterns(language).get(attribute)?.test(plain(sentence)) === true ||
  attributeAtStart(sentence) === attribute

/** Whether a value stands there as the attribute has one: a telephone number, an amount, a day. */
export const hasShape = (attribute: Attribute, sentence: string): boolean =>
  hasForm(shapeOf(attribute), normalise(sentence))

type Told = (text: string) => boolean
export type LanguageWords = Readonly<Record<WordKind, Told>>

/** Tells whether a text has a word of that kind. */
export const wordsFor = onceForValue((language: Language) => {
  const tellers = WORD_KINDS.map((kind) => {
    const pattern = patternOf(phrasesOf(language, kind).labels, language)
    return [kind, (text: string) => pattern.test(plain(text))] as const
  })
  return Object.fromEntries(tellers) as LanguageWords
})

const allOf = (kind: WordKind): (() => ReadonlySet<string>) =>
  lazily(() => new Set([...tables().values()].flatMap((table) => table.get(kind)?.labels ?? [])))

const heads = allOf('heads')
const agents = allOf('agents')
const customers = allOf('customers')
const titles = allOf('titles')

/** In any language: a form is often too short to tell its own. */
const attributeOfLabel = lazily(
  () =>
    new Map(
      [...tables().values()].flatMap((table) =>
        ATTRIBUTES.flatMap((attribute) =>
          (table.get(attribute)?.labels ?? []).map((label) => [label, attribute] as const)
        )
      )
    )
)

/** What may stand before a colon and is nobody: `Call summary`, `Teléfono`. */
export const isNoteHead = (words: string): boolean =>
  [heads, customers, attributeOfLabel].some((known) => known().has(plain(words)))

/** A word for the customer, as in `Customer: …`. */
export const isCustomerWord = (words: string): boolean => customers().has(plain(words))

export const isAgentWord = (words: string): boolean => agents().has(plain(words))

export const isTitle = lately((word) => titles().has(spell(word).replace(/\.$/, '')))

/** `Phone: …`, `technical contact: …`: the attribute that words before a value name, in any language. */
export function attributeNamed(label: string): Attribute | undefined {
  const words = plain(label).trim().split(' ')
  // Of `new address` the last words name it.
  const named = words.map((_, from) => attributeOfLabel().get(words.slice(from).join(' ')))
  return named.find((attribute) => attribute !== undefined)
}

/** What the label tells that a text begins with, up to a colon. */
export const attributeAtStart = (sentence: string): Attribute | undefined =>
  attributeOfLabel().get(plain(/^\s*([^:：]{1,30}?)\s*[:：]/u.exec(sentence)?.[1] ?? ''))

export interface Place {
  start: number
  end: number
}

/** Where a normalised text tells that, by a label or a cue. */
export function placesOf(attribute: Attribute, text: string, language: Language): readonly Place[] {
  const pattern = toldPatterns(language).get(attribute)
  if (!pattern?.test(plain(text))) return []
  const letters = Array.from(text, plain)
  const indices = letters.flatMap((letter, index) => Array.from(letter, () => index))
  return [...letters.join('').matchAll(new RegExp(pattern, 'gu'))].map(({ 0: words, index }) => ({
    start: indices[index] ?? 0,
    end: (indices[index + words.length - 1] ?? text.length) + 1
  }))
}
