// One spelling for what people spell in several ways.
import { wordFamilies } from './word-lists.ts'

/** Letters that no decomposition takes apart; the Turkish dotless i is to everybody else the same letter. */
const PLAIN = new Map(
  wordFamilies('ß ss|æ ae|œ oe|ø o|đ d|ð d|þ th|ł l|ı i|ё е').map(([letter = '', plain = '']) => [
    letter,
    plain
  ])
)

/** Takes away compatibility forms, the invisible, Arabic vowel signs and foreign digits; capitals and accents stay. */
export function normalise(text: string): string {
  if (isAscii(text)) return text
  return text
    .normalize('NFKC')
    .replace(/[\u00ad\u061c\u0640\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g, '')
    .replace(/[\u064b-\u065f\u0670\u06d6-\u06ed]/g, '')
    .replace(/(?![0-9])\p{Nd}/gu, latinDigit)
}

/** Lower case without accents: `Élodie` and `elodie` are one. Kana and Cyrillic й keep their marks. */
export function fold(text: string): string {
  return plainLetters(normalise(text).toLowerCase())
}

/** Takes accents and ligatures off normalised lower-case text. */
export function plainLetters(text: string): string {
  if (isAscii(text)) return text
  return text
    .normalize('NFD')
    .replace(/([и\u3040-\u30ff]?)([\u0300-\u036f]+)/g, (_, base: string, marks: string) =>
      base === 'и' && marks.startsWith('\u0306') ? 'й' : base
    )
    .normalize('NFC')
    .replace(/[ßæœøđðþłıё]/g, (letter) => PLAIN.get(letter) ?? letter)
}

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text)

/** The ten digits of a script stand together. */
function latinDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let value = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1
  return String(value % 10)
}
