import { isNoteHead } from './attributes/attribute.ts'

const CAPITALISED =
  /^\p{Lu}[\p{L}\p{M}'’.-]{0,30}(?: (?:\p{Lu}[\p{L}\p{M}'’.-]{0,30}|d[aeiou]s?|del|van|von|der)){0,3}$/u
/** Where letters have no case: one word, or two or three in Arabic, Hebrew or Hindi; of a Chinese character one is a name. */
const CASELESS =
  /^(?:\p{Lo}[\p{Lo}\p{M}ー・]{1,11}|\p{Script=Han}(?=[ \u3000]))(?:[ \u3000](?:\p{Lo}[\p{Lo}\p{M}]{1,11}|\p{Script=Han})){0,2}$/u
const LONGEST_PREFIX = 100

/** Tells `Name: what they said` apart; a label, a time or an address is no name. */
export function splitAuthor(content: string): { author: string | null; body: string } {
  const colon = content.slice(0, LONGEST_PREFIX).search(/[:\uff1a]/)
  if (colon < 1) return { author: null, body: content }
  const name = content.slice(0, colon).trim()
  const isWide = content[colon] === '\uff1a'
  const rest = content.slice(colon + 1)
  // `10:30`, `https://…` and `Re:thing` have no blank behind the colon; Chinese and Japanese need none.
  const isSeparated =
    isWide || /^\s/.test(rest) || /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(rest)
  const isName = CAPITALISED.test(name) || CASELESS.test(name)
  const body = rest.trimStart()
  if (!isSeparated || !isName || body === '' || isNoteHead(name)) return { author: null, body: content }
  return { author: name, body }
}
