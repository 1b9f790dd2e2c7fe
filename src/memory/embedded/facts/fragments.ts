// Pieces that patterns are made of. Every repetition is bounded, so that no text can make a pattern slow.

const CAPITALISED = "\\p{Lu}[\\p{L}\\p{M}\\d'’&./-]{0,30}"
const NAME_WORD = "\\p{Lu}[\\p{L}\\p{M}'’-]{1,24}"

/** One to three capitalised words: a person, an animal. */
export const NAME = `${NAME_WORD}(?: (?:${NAME_WORD}|\\p{Lu}\\.)){0,2}`

/** One to five words: a company. */
export const PROPER = `(?:[Tt]he )?${CAPITALISED}(?: (?:(?:of|for|and|&|de|da|do|the) )?${CAPITALISED}){0,4}`

/** A city, a region, a country, each in the one that follows it. */
export const PLACE = `(?:the )?${CAPITALISED}(?: (?:(?:of|de|da|do|la) )?${CAPITALISED}){0,3}(?:, ${CAPITALISED}(?: ${CAPITALISED}){0,2}){0,2}`

/** Where a name has ended: what follows begins something else. */
export const END =
  "(?=[.!…]*$|[,;:()—–!]| [-—–(]| (?:as|in|and|but|since|for|with|now|because|where|which|who|on|from|near|this|last|so|until|till|when|these|doing|after|before|at|full|part|too|again|there|by|then|alongside|to|under|over|about|next|right|though|while|also|already|today|and|or)(?![\\p{L}'-]))"

const CALENDAR =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october|november|december|christmas|easter|thanksgiving|halloween|spring|summer|autumn|fall|winter|god|jesus|i)\b/i

/** Whether a capitalised word is one for another reason than being a name. */
export const isCalendarWord = (name: string): boolean => CALENDAR.test(name)

/** A pattern at the beginning of a text. */
export const atStart = (pattern: string, flags = 'u'): RegExp => new RegExp(`^${pattern}`, flags)

/** A name without what only ends a sentence. */
export const trimName = (name: string): string => name.replace(/[.,'’&/-]+$/u, '').replace(/'s$/, '')

/** Words that name no thing of their own: articles, pronouns, prepositions and what is done with anything. */
const EMPTY_WORDS = new Set(
  'a an the my our your his her its their this that these those some any all more most of to in on at for with from by about into and or as up out off over own new next go going take taking make making have having get getting do doing be being visit visiting start starting see seeing try trying trip plan plans week month year day weekend later early late soon tomorrow today monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december spring summer autumn winter'.split(
    ' '
  )
)

/** The words of a text that tell it from others, in their order, in a form that singular and plural share. */
export const contentWords = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{M}\d]{1,40}/gu) ?? [])
    .filter((word) => !EMPTY_WORDS.has(word) && !/^\d+$/.test(word))
    .map(singular)

/** Near enough to make keys by. */
const singular = (word: string): string => (word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word)
