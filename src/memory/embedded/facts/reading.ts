// What a reader of clauses gives, and what all readers read with.
import { wordSet } from '../word-lists.ts'
import type { Clause } from './clause.ts'
import type { FactKind } from './fact.ts'

export interface Finding {
  kind: FactKind
  value: string
  topic?: string
  isRetraction?: boolean
  /** Left out where one mention is enough. */
  needsRepeating?: boolean
}

type Findings = readonly Finding[]
type ReadClause = (clause: Clause) => Findings

/** Reads clauses with one of its verbs, but for those that any of the claims is true of. */
export type Reader = readonly [verbs: string, unless: readonly Claim[], read: ReadClause]
type Claim = 'isAhead' | 'isDenied' | 'isPlural'

/** Of a person's present: `we` are many, and what lies ahead is a plan. */
export const NOT_OF_ONE_NOW: readonly Claim[] = ['isAhead', 'isPlural']

/** What the first of the patterns that fits the text has named. */
export function groupsIn(text: string, ...patterns: readonly RegExp[]): Partial<Record<string, string>> {
  for (const pattern of patterns) {
    const groups = pattern.exec(text)?.groups
    if (groups) return groups
  }
  return {}
}

/** Reads on behind an opening of a few fixed words. */
export const after =
  (opening: RegExp, read: ReadClause): ReadClause =>
  (clause) => {
    const [found] = opening.exec(clause.rest) ?? []
    return found === undefined ? [] : read({ ...clause, rest: clause.rest.slice(found.length) })
  }

const VALUE_ENDS =
  /[,;!?()…—–]|\.(?=\s|$)|:(?!\d)| - | (?:because|since|while|but|so|if|although|though|and (?:I|he|she|we|they|it|is|am|are|was|has|have|had|will|would|now)\b|for now|right now)(?:\s|$)/

const CLOCK = /\b([ap])\.m\.?/gi

export const untilEnd = (rest: string): string =>
  (rest.replace(CLOCK, '$1m').split(VALUE_ENDS, 1)[0] ?? '').trim()

/** What narrows a thing down may be all that matters of it: without it the thing is another. */
export const NARROWED = / (?:that|which|who|whose|where|when|as|like|than|what|how)(?:\s|$)/i

/** Points at what was said before, at the listener or at what is around: nothing by itself. */
export const POINTING_WITHIN =
  /\b(?:you|your|yours|him|her|it|them|these|those|this|that|too|either|here|there|as well|something|somewhere|someone|things?|stuff|ones?)\b/i

// Pieces that patterns are made of. Every repetition is bounded, so that no text can make a pattern slow.

const CAPITALISED = "\\p{Lu}[\\p{L}\\p{M}\\d'’&./-]{0,30}"
const NAME_WORD = "\\p{Lu}[\\p{L}\\p{M}'’-]{1,24}"

export const NAME = `${NAME_WORD}(?: (?:${NAME_WORD}|\\p{Lu}\\.)){0,2}`

export const PROPER = `(?:[Tt]he )?${CAPITALISED}(?: (?:(?:of|for|and|&|de|da|do|the) )?${CAPITALISED}){0,4}`

export const PLACE = `(?:the )?${CAPITALISED}(?: (?:(?:of|de|da|do|la) )?${CAPITALISED}){0,3}(?:, ${CAPITALISED}(?: ${CAPITALISED}){0,2}){0,2}`

/** Where a name has ended: what follows begins something else. */
export const END =
  "(?=[.!…]*$|[,;:()—–!]| [-—–(]| (?:as|in|and|but|since|for|with|now|because|where|which|who|on|from|near|this|last|so|until|till|when|these|doing|after|before|at|full|part|too|again|there|by|then|alongside|to|under|over|about|next|right|though|while|also|already|today|and|or)(?![\\p{L}'-]))"

const CALENDAR =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october|november|december|christmas|easter|thanksgiving|halloween|spring|summer|autumn|fall|winter|god|jesus|i)\b/i

export const isCalendarWord = (name: string): boolean => CALENDAR.test(name)

/** The text between the backticks as a pattern, its backslashes as they stand, for the beginning of what is read. */
export const atStart = (literals: TemplateStringsArray, ...pieces: readonly string[]): RegExp =>
  new RegExp(`^${String.raw(literals, ...pieces)}`, 'u')

export const trimName = (name: string): string => name.replace(/[.,'’&/-]+$/u, '').replace(/'s$/, '')

/** Words that name no thing of their own: articles, pronouns, prepositions and what is done with anything. */
const EMPTY_WORDS = wordSet(`
a an the my our your his her its their this that these those some any all more most of to in on at for with from by
about into and or as up out off over own new next go going take taking make making have having get getting do doing be
being visit visiting start starting see seeing try trying trip plan plans week month year day weekend later early late
soon tomorrow today monday tuesday wednesday thursday friday saturday sunday january february march april may june july
august september october november december spring summer autumn winter`)

/** The words of a text that tell it from others, in their order, in a form that singular and plural share. */
export const contentWords = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{M}\d]{1,40}/gu) ?? [])
    .filter((word) => !EMPTY_WORDS.has(word) && !/^\d+$/.test(word))
    .map(singular)

/** Near enough to make keys by. */
const singular = (word: string): string => (word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word)
